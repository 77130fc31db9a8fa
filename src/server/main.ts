import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { visitCounter } from '../audience/visit-counter.ts'
import { readServerSettings, type ServerSettings } from '../config/server-settings.ts'
import { keptLinkKey } from '../keys/link-key.ts'
import { readSessionKey } from '../keys/session-key.ts'
import { watchOpening } from '../opening/watch-opening.ts'
import { inCode, productFolder } from '../product/folders.mjs'
import product from '../product/product.ts'
import { findProductMistakes } from '../shared/product.ts'
import { type SiteManifest, site } from '../site/site.ts'
import { type OpenedStore, openStore } from '../store/open-store.ts'
import { ownFolder } from '../store/own-folder.ts'
import { StoreMismatch, StoreUnavailable } from '../store/subscriber-store.ts'
import { createApp } from './app.ts'
import { takeInBrowserRequests } from './browser-requests.ts'
import { deskGate } from './desk-gate.ts'
import { deskProcess } from './desk-process.ts'
import { createLog } from './http/log.ts'
import { readShown } from './http/shown.ts'
import { sweepUntilClosed } from './sweep.ts'

const DESK = inCode('src/operator/desk/main.ts')
const FINISH_WITHIN_MS = 10_000
/** How long who may open the desk is believed: where each look is paid for, a few seconds. */
const DESK_BELIEVED_MS = { sqlite: 0, firestore: 5000 } as const
/** How long a start waits to hear whether the page is open: a store that is away must not keep it. */
const OPENING_WITHIN_MS = 900
/** For sign-ups that have yet to be asked about: where each look is paid for, a letter may wait a moment. */
const LOOK_EVERY_MS = { sqlite: 1000, firestore: 20_000 } as const
const LOOK_FOR_NOTICES_EVERY_MS = { sqlite: 1000, firestore: 60_000 } as const

async function main() {
  const read = readServerSettings(process.env, productFolder)
  if ('mistakes' in read) return stop(read.mistakes)
  const mistakes = findProductMistakes({ ...product })
  if (mistakes.length > 0) return stop(mistakes.map((mistake) => `product.config.ts: ${mistake}`))
  if (!existsSync(join(productFolder, site.manifest)))
    return stop(['The page is not built: run "npm run build".'])
  const { settings } = read

  let keys: ReturnType<typeof readKeys>
  try {
    keys = readKeys(settings)
  } catch (cause) {
    return stop([`DATA_DIR: cannot be used: ${(cause as Error).message}`])
  }

  const log = createLog(settings.logLevel)
  const { kind, dataDir, projectId } = settings
  const { appId } = product
  // Delayed until the file was checked, so that a refusal is one line.
  const held: string[] = []
  let say: (message: string) => void = (message) => held.push(message)
  // Whoever measures nothing loads nothing for it.
  const measuring = settings.metrics && (await import('./metrics/measure.ts')).measuring()
  let opened: OpenedStore
  try {
    const options = { kind, dataDir, projectId, appId, linkKey: keys.linkKey }
    const onCommit = measuring?.metrics.committed
    opened = await openStore({ ...options, onCommit, log: (message) => say(message) })
  } catch (cause) {
    if (cause instanceof StoreUnavailable) return stop([cause.message])
    throw cause
  }
  const { place } = opened
  const store = measuring?.watch(opened, kind, settings.confirmation !== null) ?? opened.store
  // Opens the list now, so that the file exists; a problem with it is logged.
  const looked = store.checkWritable().catch((cause: unknown) => cause)
  if (kind === 'sqlite') {
    const found = await looked
    if (found instanceof StoreMismatch) {
      await store.close()
      return stop([found.message])
    }
  }
  say = (message) => log.warn(message)
  for (const message of held) say(message)

  const { confirmation } = settings
  if (confirmation && !isBuiltToConfirm()) {
    await store.close()
    return stop(['The page is built without CONFIRM=on: run "CONFIRM=on npm run build".'])
  }
  const { publicUrl } = settings
  const visits =
    settings.visits === 'off'
      ? undefined
      : visitCounter(store, publicUrl ? new URL(publicUrl).host : undefined, (fault) =>
          log.error({ err: fault }, 'Visits cannot be kept.'),
        )
  const opening = watchOpening(store, (fault) =>
    log.error({ err: fault }, 'Whether the page is open cannot be read.'),
  )
  await Promise.race([opening.looked, sleep(OPENING_WITHIN_MS)])
  const desk = deskGate({
    ...{ access: store, linkKey: keys.linkKey, publicUrl, log },
    process: deskProcess({ program: [process.execPath, DESK], log }),
    doors: join(productFolder, site.deskDoors),
    believedMs: DESK_BELIEVED_MS[kind],
  })
  const app = await createApp({
    desk,
    ...{ store, suppressions: store, settings, appId, ...keys, log, visits, opening },
    metrics: measuring?.metrics,
    // Whoever was asked can answer until their time is over, also where nobody is asked any more.
    answers: store,
    ...(confirmation && { outbox: store, isIpKept: confirmation.isIpKept }),
    root: productFolder,
  })
  // Whoever asks for no confirmation loads no mailer.
  const letters =
    confirmation &&
    (await import('./confirmation-letters.ts')).sendConfirmationLetters(
      store,
      settings,
      confirmation,
      keys.linkKey,
      log,
      LOOK_EVERY_MS[kind],
      measuring?.watchMailer,
    )
  const sweeping = sweepUntilClosed(store)
  const { browserRequests, backups } = opened
  // Whoever is told of nothing loads nothing for it.
  const notices =
    settings.notify &&
    (await (
      await import('./operator-notices.ts')
    ).tellOfList(
      ...([store, backups, settings.notify, keys.linkKey, log] as const),
      LOOK_FOR_NOTICES_EVERY_MS[kind],
    ))
  const requests =
    confirmation &&
    browserRequests &&
    takeInBrowserRequests(
      browserRequests,
      readShown(productFolder),
      opening,
      log,
      LOOK_EVERY_MS[kind],
    )

  async function finish() {
    // Clients that have not sent a whole request by then are disconnected.
    setTimeout(() => app.server.closeAllConnections(), FINISH_WITHIN_MS).unref()
    await app.close()
    measuring?.close()
    const closing = [requests, letters, notices, sweeping, visits, opening]
    await Promise.all(closing.map((one) => one?.close()))
    await store.close()
  }
  let isClosing = false
  // Ctrl-C under npm arrives twice: from the terminal and from npm. A process that ends removes its
  // signal handlers a moment before, and the second signal could then kill it.
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
  if (measuring && settings.metrics)
    try {
      const { host } = settings.metrics
      const port = await measuring.listen(settings.metrics)
      console.log(
        `Metrics are at http://${host.includes(':') ? `[${host}]` : host}:${port}/metrics`,
      )
    } catch (cause) {
      await finish()
      const { port, host } = settings.metrics
      return stop([`METRICS_${listenMistake(cause as NodeJS.ErrnoException, port, host)}`])
    }
  console.log(`${product.name} is open at ${app.listeningOrigin}`)
  console.log(`Subscribers are kept in ${place}`)
}

function isBuiltToConfirm(): boolean {
  const manifest: SiteManifest = JSON.parse(
    readFileSync(join(productFolder, site.manifest), 'utf8'),
  )
  return manifest.shown !== undefined
}

/** The secrets that are set; those that are not are made in the data folder. */
function readKeys({ kind, dataDir, sessionKey, linkKey }: ServerSettings) {
  // With Firestore both are set, and nothing is kept here.
  if (kind === 'sqlite') {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    ownFolder(
      dataDir,
      site.built.map((folder) => join(productFolder, folder)),
    )
  }
  return {
    sessionKey: sessionKey ?? readSessionKey(dataDir),
    linkKey: linkKey ?? keptLinkKey(dataDir),
  }
}

function listenMistake(cause: NodeJS.ErrnoException, port: number, host: string): string {
  if (cause.code === 'EADDRINUSE') return `PORT: ${port} is in use on ${host}, choose another one`
  if (cause.code === 'EACCES') return `PORT: ${port} needs more rights, choose one from 1024 up`
  return `HOST: cannot listen on ${host}: ${cause.message}`
}

function stop(mistakes: readonly string[]) {
  for (const mistake of mistakes) console.error(mistake)
  process.exitCode = 1
}

// With `--load`, all code is loaded and nothing is run, so that Node caches it: decision 051.
if (process.argv[2] !== '--load') await main()
