import { mkdirSync, readFileSync } from 'node:fs'
import type { Http2Server } from 'node:http2'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { destination, pino } from 'pino'
import { deskSettings, serverSettings } from '../../config/programs.ts'
import { readSettings } from '../../config/read.ts'
import { environment } from '../../product/environment.ts'
import { productFolder } from '../../product/folders.mjs'
import product from '../../product/product.ts'
import { keepTimeIn } from '../../product/time-zone.ts'
import { faultReport } from '../../shared/fault-report.ts'
import { site } from '../../site/site.ts'
import { linkKeyIn, openStore } from '../../store/open-store.ts'
import type { DeskFiles, RenderDesk } from '../contract/pages.ts'
import { createDesk } from './app.ts'

/** The file descriptor of the connection to the server. */
const CONNECTION = 3

async function main() {
  const read = readSettings(serverSettings)
  if ('mistakes' in read) throw new Error('the settings were right when the server began')
  keepTimeIn(product.zone)
  const { dataDir, publicUrl, logLevel, ...settings } = read.settings
  // As the server's log, on the same standard error.
  const serializers = { req: () => undefined, res: () => undefined, err: faultReport }
  const log = pino({ level: logLevel, serializers, base: { desk: process.pid } }, destination(2))
  const fail = (fault: unknown) => {
    log.fatal({ err: fault }, 'The desk failed.')
    process.exit(1)
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  // Ctrl-C and the end of a terminal reach both processes: the server finishes its requests, then ends
  // this one.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})

  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const linkKey = settings.linkKey ?? linkKeyIn(dataDir)
  const { store, place, backups, collecting } = await openStore({
    dataDir,
    appId: product.appId,
    linkKey,
    log: (message) => log.warn(message),
  })
  const folder = join(productFolder, site.desk)
  const files = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as DeskFiles
  const drawn = (await import(pathToFileURL(join(folder, 'server/render.js')).href)) as {
    renderPage: RenderDesk
  }
  const desk = await createDesk({
    store,
    place,
    backups,
    collecting,
    linkKey,
    product,
    publicUrl,
    root: productFolder,
    dataDir,
    settings: deskSettings(),
    env: environment,
    log,
    render: drawn.renderPage,
    files,
    folder,
  })

  const close = async () => {
    await store.close()
    process.exit()
  }
  const connection = new Socket({ fd: CONNECTION, readable: true, writable: true })
  // Also when the server was killed, since no request can come any more.
  connection.on('error', () => {}).on('close', close)
  process.on('SIGTERM', close)
  ;(desk.server as unknown as Http2Server).emit('connection', connection)
}

await main()
