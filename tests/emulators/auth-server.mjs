// The Auth emulator of firebase-tools, alone: the command line tool around it takes twice as long
// to start, three ports that must be given, and calls home.
import { createRequire } from 'node:module'

const { createApp } = createRequire(import.meta.url)('firebase-tools/lib/emulator/auth/server.js')
const [project] = process.argv.slice(2)
const app = await createApp(project)
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`)
})
