import type { StatsFs } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { heardNothing } from '../audience/heard-nothing.ts'
import { inboxAlarms, inboxFigures } from '../from-firestore/inbox-figures.ts'
import { listRetention } from '../opening/list-retention.ts'
import { heldInWords } from '../shared/held-letters.ts'
import { isDamage } from '../shared/list-damage.ts'
import type { Product } from '../shared/product.ts'
import { waitingFaults } from '../shared/waiting-too-long.ts'
import { backupFaults, backupState } from '../store/backup-state.ts'
import type { BackupRecord } from '../store/backups.ts'
import type { Backups, Collecting, Events, Requests, Store } from '../store/store.ts'
import { found } from './check.ts'
import { listOnHold } from './mail.ts'

export interface HealthParts {
  readonly store: Store
  /** The list's file. */
  readonly place: string
  /** The folder of the data on this machine. */
  readonly dataDir: string
  readonly backups?: Backups | undefined
  readonly collecting?: Collecting | undefined
  readonly product: Pick<Product, 'retain'>
  /** Whether visitors are asked to confirm. */
  readonly isAsking: boolean
}

const GB = 1e9
const WEEK_MS = 7 * 86_400_000

type Probe = (on: HealthParts) => Promise<unknown>

const check = <const Code extends string, P extends Probe>(code: Code, probe: P) =>
  ({ code, probe }) as const

/** Letters that ask for a confirmation and are held, by reason. @throws StoreUnavailable */
export const heldLetters = {
  code: 'letters-held',
  async probe({ store }: { readonly store: { readonly requests: Pick<Requests, 'heldLetters'> } }) {
    const held = heldInWords(await store.requests.heldLetters())
    return held.map((one) => found('letters-held', 'problem', one))
  },
} as const

/** Whether other systems are told of people. @throws StoreUnavailable */
export const eventsFeed = {
  code: 'events',
  async probe({ store }: { readonly store: { readonly events: Pick<Events, 'feed' | 'counts'> } }) {
    const feed = await store.events.feed()
    if (!feed) return []
    const counts = await store.events.counts()
    if (!feed.isOn && counts.people === 0) return []
    const data = { feed, ...counts, at: feed.failing?.since }
    if (counts.held > 0) return [found('events-held', 'fatal', data)]
    return [found('events', feed.failing || !feed.isOn ? 'problem' : 'fine', data)]
  },
} as const

/**
 * Whether all that the page and its letters need is in order, as far as it can be known from here.
 * Each probe throws StoreUnavailable.
 */
export const healthChecks = [
  listOnHold,
  // How long the list is kept, and one that is kept for longer than the product says.
  check('list-kept', async ({ store, product }) => {
    const { people = 0, until } = (await listRetention(store, product.retain, new Date())) ?? {}
    if (!until) return []
    if (people === 0) return [found('list-kept', 'note', { until })]
    return [found('list-overdue', 'fatal', { people, at: until.getTime() })]
  }),
  check('file', async ({ place }) => {
    const files = [place, `${place}-wal`]
    const sizes = await Promise.all(files.map((file) => stat(file).catch(() => ({ size: 0 }))))
    return [found('file', 'fine', { bytes: sizes.reduce((sum, { size }) => sum + size, 0) })]
  }),
  check('disk', async ({ dataDir }) => diskFound(await statfs(dataDir).catch(() => null))),
  // The last back-up, and the last that was restored as a test, by one look at the store.
  check('back-up', async ({ backups, store }) => {
    if (!backups) return []
    const now = new Date()
    const state = await backupState(backups, now)
    return [await lastFound(state, now, store), ...rehearsalFound(state, now)]
  }),
  check('outbox', async ({ store, isAsking }) => {
    const { waiting } = await store.requests.counts()
    if (waiting === 0 && !isAsking) return []
    return [found('outbox', waiting < 1000 ? 'fine' : 'problem', { waiting })]
  }),
  // What of taking in, here and from Firestore, has to be looked at.
  check('inbox', async ({ store, collecting, backups }) => {
    const figures = await inboxFigures(collecting, backups, new Date())
    const faults = [
      ...(figures ? inboxAlarms(figures) : []),
      ...waitingFaults(await store.inbox.waiting()),
    ]
    return [
      ...(figures ? [found('documents', 'note', { ...figures })] : []),
      ...faults.map((alarm) => found('inbox', 'fatal', { alarm })),
    ]
  }),
  // What the last count of everybody found.
  check('counts', async ({ store }) => {
    const damage = await store.counts.last()
    return damage && isDamage(damage) ? [found('counts', 'fatal', damage)] : []
  }),
  eventsFeed,
] as const

/** Those that read the whole list. */
export const slowHealthChecks = [
  // Each day of the last week on which a provider refused letters to many.
  check('refused', async ({ store }) => {
    const many = await store.refusals.many(new Date(Date.now() - WEEK_MS))
    return many.map((one) => found('refused', 'fatal', { many: one }))
  }),
  // People who have heard nothing for long.
  check('silence', async ({ store }) => {
    const { people, since } = await heardNothing(store, new Date())
    return since === null ? [] : [found('silence', 'problem', { people, at: Date.parse(since) })]
  }),
] as const

/** @param disk in blocks of `bsize` bytes; nothing where it cannot be read. */
export function diskFound(disk: Pick<StatsFs, 'bavail' | 'blocks' | 'bsize'> | null) {
  if (!disk || disk.blocks === 0) return []
  const bytes = disk.bavail * disk.bsize
  const share = disk.bavail / disk.blocks
  const verdict = bytes < GB / 4 ? 'fatal' : bytes < GB || share < 0.05 ? 'problem' : 'fine'
  return [found('disk', verdict, { bytes })]
}

async function lastFound(state: BackupRecord, now: Date, store: Pick<Store, 'list'>) {
  const at = state.kept.at(-1)?.at.getTime()
  if (at !== undefined) {
    const isOld = backupFaults(state, now).includes('stopped')
    return isOld ? found('back-ups-stopped', 'fatal', { at }) : found('back-up', 'fine', { at })
  }
  const isAnybodyHere = (await store.list.newest(1)).length > 0
  return found('no-back-up', isAnybodyHere ? 'problem' : 'note')
}

/** Whether a copy was restored as a test, where there is any. */
function rehearsalFound(state: BackupRecord, now: Date) {
  const { kept, rehearsal, goodRehearsal } = state
  if (kept.length === 0) return []
  if (rehearsal?.fault !== undefined)
    return [
      found('rehearsal-failed', 'fatal', { at: rehearsal.at.getTime(), fault: rehearsal.fault }),
    ]
  const isOverdue = backupFaults(state, now).includes('rehearsal-overdue')
  const verdict = isOverdue ? 'problem' : 'fine'
  if (!goodRehearsal) return [found('no-rehearsal', verdict)]
  return [found('rehearsal', verdict, { at: goodRehearsal.at.getTime() })]
}
