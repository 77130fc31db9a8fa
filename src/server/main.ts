import { existsSync, mkdirSync } from 'node:fs'
import { type AddressInfo, isIPv6 } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { visitCounter } from '../audience/visit-counter.ts'
import { type ServerSettings, serverSettings } from '../config/programs.ts'
import { readSettings } from '../config/read.ts'
import { rules } from '../features/all-rules.ts'
import { watchOpening } from '../opening/watch-opening.ts'
import { environment } from '../product/environment.ts'
import { inCode, productFolder } from '../product/folders.mjs'
import product, { productMistakes } from '../product/product.ts'
import { keepTimeIn } from '../product/time-zone.ts'
import { type SiteManifest, site } from '../site/site.ts'
import { linkKeyIn, openStore } from '../store/open-store.ts'
import { ownFolder } from '../store/own-folder.ts'
import { StoreMismatch, StoreUnavailable } from '../store/subscriber-store.ts'
import { isUnderUpdate } from '../store/under-update.ts'
import { type AppOptions, createApp } from './app.ts'
import { work } from './background-work.ts'
import { untilOpened } from './closed.ts'
import { deskGate } from './desk-gate.ts'
import { deskProcess } from './desk-process.ts'
import { readManifest } from './http/built-languages.ts'
import { createLog } from './http/log.ts'
import { createMetrics, listenForMetrics, type Metrics } from './metrics.ts'
import { type Closed, endBySignal, shutDown } from './shutdown.ts'

const DESK = inCode('src/desk/server/main.ts')
/** How long a start waits for the opening: a store that is away must not delay it longer. */
const OPENING_WITHIN_MS = 900

async function main() {
  const settings = checkedSettings()
  // Where the machine's zone is left as it is, none is looked up: that takes 6 MB.
  if (product.zone !== undefined || environment.TZ !== undefined) keepTimeIn(product.zone)
  const linkKey = readKey(settings)
  const isClosed = () => isUnderUpdate(settings.dataDir)
  const wasClosed = isClosed()
  const parts = await openParts(settings, linkKey, wasClosed)
  const app = await createApp(appOptions(parts))
  const running: (Closed | undefined)[] = [parts.visits, parts.opening]
  const finish = () => shutDown(app, running, parts.store)
  endBySignal(finish)
  async function start() {
    if (wasClosed) {
      console.log('An update is under way: the server is closed until it is ready.')
      await untilOpened(app, settings.port, isClosed).catch(notListening(settings))
    }
    for (const begin of work) running.push(await begin(parts))
    await listen(app, settings, parts.metrics)
  }
  await start().catch(async (cause: unknown) => {
    await finish()
    throw orNotStarted(cause)
  })
  console.log(`The server of ${product.name} is open at ${app.listeningOrigin}`)
  console.log(`Subscribers are kept in ${parts.place}`)
  if (!settings.publicUrl)
    console.log('PUBLIC_URL is not set, so link previews have no picture: docs/settings.md')
}

/** Opens what the server works with. */
async function openParts(settings: ServerSettings, linkKey: Buffer, isTrial: boolean) {
  const log = createLog(settings.logLevel)
  const metrics = settings.metrics ? createMetrics() : undefined
  const opened = await openList(settings, linkKey, log, metrics, isTrial)
  const { store } = opened
  const { publicUrl } = settings
  const visits =
    settings.visits === 'off'
      ? undefined
      : visitCounter(store.visits, publicUrl ? new URL(publicUrl).host : undefined, (fault) =>
          log.error({ err: fault }, 'Visits cannot be kept.'),
        )
  const opening = watchOpening(store.opening, (fault) =>
    log.error({ err: fault }, 'Whether the page is open cannot be read.'),
  )
  await Promise.race([opening.looked, sleep(OPENING_WITHIN_MS)])
  return { ...opened, settings, linkKey, log, metrics, visits, opening }
}

function appOptions(parts: Awaited<ReturnType<typeof openParts>>): AppOptions {
  const { store, settings, linkKey, log, visits, opening, metrics } = parts
  const { publicUrl, confirmation } = settings
  const { appId } = product
  return {
    desk: deskGate({
      access: store.desk,
      linkKey,
      appId,
      publicUrl,
      log,
      process: deskProcess({ program: [process.execPath, DESK], log }),
      doors: join(productFolder, site.deskDoors),
    }),
    ...{ store, suppressions: store.standings, settings, appId, linkKey },
    ...{ log, visits, opening, metrics, root: productFolder },
    // A letter can be answered until it expires, also after CONFIRM is turned off.
    answers: store.requests,
    ...(confirmation && { requests: store.requests, isIpKept: confirmation.isIpKept }),
    features: settings.features,
    given: { store, product, settings: settings.ofFeatures },
  }
}

/** Why the server does not start, for the operator to put right, a line for each. */
class NotStarted extends Error {
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}

/** What the operator can put right is said without where it happened. */
const orNotStarted = (cause: unknown) =>
  cause instanceof StoreUnavailable ? new NotStarted([cause.message]) : cause

function checkedSettings(): ServerSettings {
  const read = readSettings(serverSettings)
  if ('mistakes' in read) throw new NotStarted(read.mistakes)
  const mistakes = productMistakes()
  if (mistakes.length > 0) throw new NotStarted(mistakes)
  const manifest = join(productFolder, site.manifest)
  if (!existsSync(manifest)) throw new NotStarted(['The page is not built: run "npm run build".'])
  const { languages, ownFiles, features } = readManifest(productFolder) as Partial<SiteManifest>
  if (
    !languages ||
    !ownFiles ||
    !features ||
    !existsSync(join(productFolder, site.linkPage('confirm', 'news-ask', languages[0].path)))
  )
    throw new NotStarted(['The page is built by an earlier version: run "npm run build".'])
  if (read.settings.confirmation && languages[0].shown === undefined)
    throw new NotStarted(['The page is built without CONFIRM=on: run "CONFIRM=on npm run build".'])
  // What is set in the founder's file since waits for the next build.
  for (const { name, isOn, settings } of rules)
    if (isOn && settings && read.settings.features[name] && !features.includes(name))
      throw new NotStarted([builtWithout(Object.keys(settings))])
  return read.settings
}

function builtWithout(names: readonly string[]): string {
  const on = names.map((name) => `${name}=on`).join(' ')
  return `The page is built without ${on}: run "CONFIRM=on ${on} npm run build".`
}

type Log = ReturnType<typeof createLog>

/**
 * Opens the list, so that its file exists. Problems are only logged, except another product's list.
 */
async function openList(
  { dataDir }: ServerSettings,
  linkKey: Buffer,
  log: Log,
  metrics: Metrics | undefined,
  isTrial: boolean,
) {
  // Delayed until the file was checked, so that a refusal is one line.
  const held: string[] = []
  let say: (message: string) => void = (message) => held.push(message)
  const { appId } = product
  const options = { dataDir, appId, linkKey, isTrial }
  const opened = await openStore({ ...options, log: (message) => say(message) }).catch((cause) => {
    throw orNotStarted(cause)
  })
  const store = metrics?.watchStore(opened.store) ?? opened.store
  const found = await store.checkWritable().catch((cause: unknown) => cause)
  if (found instanceof StoreMismatch) {
    await store.close()
    throw new NotStarted([found.message])
  }
  say = (message) => log.warn(message)
  for (const message of held) say(message)
  return { ...opened, store }
}

async function listen(
  app: FastifyInstance,
  { port, host, metrics: place }: ServerSettings,
  metrics: Metrics | undefined,
): Promise<void> {
  await app.listen({ port, host }).catch(notListening({ port, host }))
  if (!metrics || !place) return
  const measured = await listenForMetrics(metrics.text, place).catch((cause) => {
    throw new NotStarted([`METRICS_${listenMistake(cause, place.port, place.host)}`])
  })
  const { address, port: at } = measured.address() as AddressInfo
  console.log(`Metrics are at http://${isIPv6(address) ? `[${address}]` : address}:${at}/metrics`)
}

const notListening =
  ({ port, host }: Pick<ServerSettings, 'port' | 'host'>) =>
  (cause: Error) => {
    throw new NotStarted([listenMistake(cause, port, host)])
  }

/** The secret of the settings; a missing one is made in the data folder. */
function readKey({ dataDir, linkKey }: ServerSettings): Buffer {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const built = site.built.map((folder) => join(productFolder, folder))
    ownFolder(dataDir, built)
    return linkKey ?? linkKeyIn(dataDir)
  } catch (cause) {
    throw new NotStarted([`DATA_DIR: cannot be used: ${(cause as Error).message}`])
  }
}

function listenMistake(cause: NodeJS.ErrnoException, port: number, host: string): string {
  if (cause.code === 'EADDRINUSE') return `PORT: ${port} is in use on ${host}, choose another one`
  if (cause.code === 'EACCES') return `PORT: ${port} needs more rights, choose one from 1024 up`
  return `HOST: cannot listen on ${host}: ${cause.message}`
}

function stop(cause: unknown) {
  if (!(cause instanceof NotStarted)) throw cause
  for (const mistake of cause.mistakes) console.error(mistake)
  process.exitCode = 1
}

// With `--load`, all code is loaded and nothing is run, so that Node caches it and needs no compiler in memory.
if (process.argv[2] !== '--load') await main().catch(stop)
