/** `npm run dev`: the page with hot reload, against the real server and your own data. */
import { createServer } from 'vite'
import { readSettings } from '../src/config/read.ts'
import { deskPaths } from '../src/desk/contract/pages.ts'
import { languagesOf } from '../src/product/languages.ts'
import product from '../src/product/product.ts'
import { paths } from '../src/shared/api.ts'
import { serve } from './serve.ts'

const read = readSettings(({ get, isSet }) => ({
  PORT: String(get('PORT')),
  LOG_LEVEL: isSet('LOG_LEVEL') ? get('LOG_LEVEL') : 'info',
}))
if ('mistakes' in read) throw new Error(read.mistakes.join('\n'))
const server = await serve(read.settings)
// The desk is as it was built: it is another page of another program.
const served = [...Object.values(paths), deskPaths.today]
const inLanguages = languagesOf(product).flatMap(({ path }) =>
  [paths.subscribe, paths.subscribed, paths.unsubscribe].map((one) => path + one),
)
const page = await createServer({
  server: {
    proxy: Object.fromEntries([...served, ...inLanguages].map((path) => [path, server.url])),
  },
})
await page.listen()
page.printUrls()
console.log(`  Calls go to the server at ${server.url}.`)

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await page.close()
    await server.stop()
    process.exit()
  })
