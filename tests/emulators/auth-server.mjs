// The Auth emulator of firebase-tools, alone: the command line tool around it takes twice as long
// to start, three ports that must be given, and calls home.
import { createRequire } from 'node:module'

const emulator = (file) =>
  createRequire(import.meta.url)(`firebase-tools/lib/emulator/auth/${file}.js`)

// What page, tests and the check of a site ask for. Before it listens it compiles checks for every
// call that Google has, which takes eight seconds of a core.
const CALLED =
  /^\/v1\/(accounts:(signUp|lookup|delete)|projects\/[^/]+\/accounts:(query|update|delete)|token)$|^\/emulator\/v1\/projects\/[^/]+\/accounts$/
const { paths } = emulator('apiSpec').default
for (const path of Object.keys(paths)) if (!CALLED.test(path)) delete paths[path]

const [project] = process.argv.slice(2)
const app = await emulator('server').createApp(project)
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`)
})
