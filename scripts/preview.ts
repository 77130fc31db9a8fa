/**
 * `npm run preview`: one page on this machine with everything that people will meet, each page and
 * state, letter and picture, as `product.config.ts` says it; new with each save. It is in no build.
 */
import { readSettings } from '../src/config/read.ts'
import { startPreview } from './preview/preview-server.ts'

try {
  const read = readSettings(({ get, isSet }) => (isSet('PORT') ? get('PORT') : 3100))
  if ('mistakes' in read) throw new Error(read.mistakes.join('\n'))
  const { url, close } = await startPreview(read.settings)
  console.log(`The preview is at ${url}/preview, and follows each save.`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, async () => {
      await close()
      process.exit()
    })
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
