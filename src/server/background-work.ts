import type { FastifyBaseLogger } from 'fastify'
import type { ServerSettings } from '../config/programs.ts'
import type { OpeningWatch } from '../opening/watch-opening.ts'
import { productFolder } from '../product/folders.mjs'
import product from '../product/product.ts'
import type { OpenedStore } from '../store/open-store.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import { checkCountsUntilClosed } from './check-counts.ts'
import { readShown } from './http/shown.ts'
import type { Metrics } from './metrics.ts'
import type { Closed } from './shutdown.ts'
import { sweepUntilClosed } from './sweep-requests.ts'

export interface WorkParts extends Pick<OpenedStore, 'store' | 'backups' | 'collecting'> {
  readonly settings: ServerSettings
  readonly linkKey: Buffer
  readonly log: FastifyBaseLogger
  readonly opening: OpeningWatch
  readonly metrics: Metrics | undefined
}

/** Starts what goes on until it is closed; nothing where the settings do not ask for it. */
type Work = (parts: WorkParts) => Closed | undefined | Promise<Closed | undefined>

/** How often to look for due letters, and for notices. */
const LOOK_EVERY_MS = 1000

/** What the server does beside its answers, in the order of starting. What it need not do is not even loaded. */
export const work: readonly Work[] = [
  sendConfirmations,
  ({ store }) => store.inbox.takeInUntilClosed(),
  ({ store, log }) => sweepUntilClosed(store, (said) => log.warn(said)),
  ({ store, log }) => checkCountsUntilClosed(store.counts, (said) => log.warn(said)),
  tellOperator,
  tellOthers,
  collect,
]

async function sendConfirmations({ store, settings, linkKey, log, metrics }: WorkParts) {
  const { confirmation } = settings
  if (!confirmation) return undefined
  const { sendConfirmationLetters } = await import('./confirmation-letters.ts')
  const { requests } = store
  const watched = metrics?.watchMailer
  return sendConfirmationLetters(
    requests,
    settings,
    confirmation,
    linkKey,
    log,
    LOOK_EVERY_MS,
    watched,
  )
}

async function tellOperator({ store, backups, settings, linkKey, log }: WorkParts) {
  const { notify } = settings
  if (!notify) return undefined
  const { tellOfList } = await import('./operator-notices.ts')
  return tellOfList(store, backups, notify, linkKey, log, LOOK_EVERY_MS)
}

async function tellOthers({ store, settings, linkKey, log }: WorkParts) {
  const { events } = settings
  if (events) {
    const { tellOfPeople } = await import('../events/send-events.ts')
    return tellOfPeople(store.events, events, linkKey, (said) => log.warn(said))
  }
  // What happens from now on is not sent later, when they are turned on again.
  void store.events.close().catch((cause: unknown) => {
    if (!(cause instanceof StoreUnavailable)) throw cause
  })
  return undefined
}

/** Takes in what visitors of a page on Firebase write. @throws StoreUnavailable */
async function collect({ settings, collecting, opening, log }: WorkParts) {
  const { dataDir, inbox, confirmation } = settings
  if (!inbox) return undefined
  const { openCollector } = await import('../from-firestore/open-collector.ts')
  const { collectUntilClosed } = await import('./collect-until-closed.ts')
  const { projectId } = inbox
  const collector = await openCollector({ projectId, appId: product.appId, dataDir, collecting })
  // A browser does not write in which language it showed the page.
  const shown = confirmation ? readShown(productFolder)() : undefined
  return collectUntilClosed({ collector, shown, opening, log })
}
