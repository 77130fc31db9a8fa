/**
 * `npm run preview`: one page on this machine with everything that people will meet, each page and
 * state, letter and picture, as `product.config.ts` says it; new with each save. It is in no build.
 */
import { startPreview } from './preview/preview-server.ts'

const { PORT = '3100' } = process.env
try {
  if (!/^\d{1,5}$/.test(PORT) || Number(PORT) > 65_535)
    throw new Error(`PORT: is "${PORT}", must be a whole number from 0 to 65535`)
  const { url, close } = await startPreview(Number(PORT))
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
