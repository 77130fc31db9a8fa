import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import product from '../../product.config.ts'
import { findProductMistakes } from '../shared/product.ts'
import { site } from '../shared/site.ts'
import { keptLinkKey } from '../store/link-key.ts'
import { openStore } from '../store/open-store.ts'
import { createApp } from './app.ts'
import { createLog } from './log.ts'
import { readSessionKey } from './session-key.ts'
import { readSettings } from './settings.ts'

const ROOT = join(import.meta.dirname, '../..')
const FINISH_WITHIN_MS = 10_000

async function main() {
  const read = readSettings(process.env)
  if ('mistakes' in read) return stop(read.mistakes)
  const mistakes = findProductMistakes({ ...product })
  if (mistakes.length > 0) return stop(mistakes.map((mistake) => `product.config.ts: ${mistake}`))
  if (!existsSync(join(ROOT, site.manifest)))
    return stop(['The page is not built: run "npm run build".'])
  const { settings } = read

  let sessionKey: string
  let linkKey: Buffer
  try {
    mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 })
    accessSync(settings.dataDir, constants.W_OK)
    sessionKey = readSessionKey(settings.dataDir)
    linkKey = settings.linkKey ?? keptLinkKey(settings.dataDir)
  } catch (cause) {
    return stop([`DATA_DIR: cannot be used: ${(cause as Error).message}`])
  }

  const log = createLog(settings.logLevel)
  const { dataDir } = settings
  const { appId } = product
  const { store, place } = openStore({
    dataDir,
    appId,
    linkKey,
    log: (message) => log.warn(message),
  })
  const app = await createApp({
    ...{ store, suppressions: store, settings, appId, sessionKey, linkKey, log },
    root: ROOT,
  })

  async function finish() {
    // Who has not sent a whole request by then is not waited for.
    setTimeout(() => app.server.closeAllConnections(), FINISH_WITHIN_MS).unref()
    await app.close()
    await store.close()
  }
  let isClosing = false
  // Ctrl-C under npm comes twice: from the terminal, and once more from npm. A process that ends
  // by itself lets go of its signals a moment before, and the second could still kill it.
  const close = async () => {
    if (isClosing) return
    isClosing = true
    await finish()
    process.exit()
  }
  process.on('SIGTERM', close)
  process.on('SIGINT', close)

  try {
    await app.listen({ port: settings.port, host: settings.host })
  } catch (cause) {
    await finish()
    return stop([listenMistake(cause as NodeJS.ErrnoException, settings.port, settings.host)])
  }
  console.log(`${product.name} is open at ${app.listeningOrigin}`)
  console.log(`Subscribers are kept in ${place}`)
  // Whoever looks there now finds a list, if an empty one; what stands in the way is in the log.
  store.checkWritable().catch(() => {})
}

function listenMistake(cause: NodeJS.ErrnoException, port: number, host: string): string {
  if (cause.code === 'EADDRINUSE') return `PORT: ${port} is in use on ${host}, choose another one`
  if (cause.code === 'EACCES') return `PORT: ${port} needs more rights, choose one from 1024 up`
  return `HOST: cannot listen on ${host}: ${cause.message}`
}

function stop(mistakes: string[]) {
  for (const mistake of mistakes) console.error(mistake)
  process.exitCode = 1
}

// With `--load` everything is loaded and nothing done, so that Node keeps the code: decision 051.
if (process.argv[2] !== '--load') await main()
