import type { Work } from '../queue/round.ts'
import type { HeardNothing } from '../shared/heard-nothing.ts'
import type { Store } from '../store/store.ts'
import { type NoticeLog, placeRounds } from './deliver-notices.ts'
import { lastEndedDay, type TimeOfDay } from './end-of-day.ts'
import type { Place } from './place.ts'
import { backupsOfDay, type WatchedBackups } from './watch-backups.ts'
import { type Overdue, type WatchedStore, watchList } from './watch-list.ts'
import { storeWatch } from './watch-store.ts'

export interface TellOperatorOptions {
  readonly store: ToldFrom
  readonly places: readonly Place[]
  readonly appId: string
  /** When a day is summed up; left out for no summaries. */
  readonly dayEndsAt: TimeOfDay | undefined
  readonly zone: string
  readonly areAddressesTold: boolean
  /** Left out where nobody looks at them. */
  readonly backups: WatchedBackups | undefined
  /** Left out for a product that sets no time after which its list is erased. */
  readonly overdue?: Overdue | undefined
  /** Counts, once a day, who has heard nothing for long. @throws StoreUnavailable */
  readonly silence?: ((now: Date) => Promise<HeardNothing | undefined>) | undefined
  /** How often it looks for notices to send, in milliseconds. */
  readonly everyMs: number
  readonly log: NoticeLog
  readonly now?: () => Date
}

export type ToldFrom = WatchedStore & Pick<Store, 'visits' | 'checkWritable'>

const WATCH_STORE_EVERY_MS = 60_000
/** Checking the list reads much of it when many are quarantined. */
const WATCH_LIST_EVERY_MS = 300_000
const MOST_SOURCES = 5

/** Tells the operator what happens to the list, at their places. */
export function tellOperator(
  options: TellOperatorOptions,
): Work & Required<Pick<Work, 'begin' | 'stop'>> {
  const { store, places, appId, backups, overdue, log, now = () => new Date() } = options
  const { notices } = store
  const sent = places.map((place) => placeRounds(place, { ...options, store: notices, now }))
  const watchStore = storeWatch({ store, places, appId, now, log })
  let opened: Date | undefined

  async function open(): Promise<Date> {
    const names = places.map(({ name }) => name)
    opened ??= await notices.open(names, now())
    return opened
  }

  const lookAtStore = everySoOften(WATCH_STORE_EVERY_MS, now, async () => {
    const back = await watchStore()
    if (back) await notices.noteEvent(back)
  })
  const noteDay = dayNotes(options, now)
  const lookAtList = everySoOften(WATCH_LIST_EVERY_MS, now, (since) =>
    watchList({ store, backups, since, overdue }, now()),
  )

  return {
    begin: open,
    async round() {
      await lookAtStore(now())
      const since = await open()
      await notices.noteMilestones(now())
      for (const look of [noteDay, lookAtList]) await look(since)
      // A slow place delays no other.
      const told = await Promise.allSettled(sent.map((place) => place.round()))
      const failed = told.find((one) => one.status === 'rejected')
      if (failed) throw failed.reason
      return false
    },
    nextPause: () => options.everyMs,
    onFault: (name) => log.error(`Notices cannot be sent: ${name}`),
    stop() {
      for (const place of places) place.close()
    },
    finish: () => Promise.all(sent.map((place) => place.finish())),
  }
}

/** A look at something. @param since when the first place was opened. */
type Look = (since: Date) => Promise<void>

/** A look that is taken so often, and when the clock was put back. */
function everySoOften(ms: number, now: () => Date, look: Look): Look {
  let last = 0
  return async (since) => {
    const passed = now().getTime() - last
    if (passed >= 0 && passed < ms) return
    last = now().getTime()
    await look(since)
  }
}

/** Notes each day that ends. */
function dayNotes(options: TellOperatorOptions, now: () => Date): Look {
  const { store, dayEndsAt, zone } = options
  /** The last one that was noted, here or by another server. */
  let last: string | undefined
  return async (since) => {
    if (!dayEndsAt) return
    const { day, from, to } = lastEndedDay(now(), dayEndsAt, zone)
    if (day === last) return
    if (to > since) {
      const sums = await sumsOf(options, from, to, now())
      const data = { day, from: from.toISOString(), to: to.toISOString(), ...sums }
      await store.notices.noteEvent({ key: `day:${day}`, type: 'day.ended', at: now(), data })
    }
    last = day
  }
}

async function sumsOf(options: TellOperatorOptions, from: Date, to: Date, now: Date) {
  const { store, backups, silence } = options
  const hours = (await store.visits.since(from)).filter(({ hour }) => hour < to)
  const names = await store.visits.signUpNames(from)
  const sources = names
    .filter(({ kind, name }) => kind === 'source' && name !== null)
    .slice(0, MOST_SOURCES)
    .map(({ name, number }) => [name, number])
  const heardNothing = await silence?.(now)
  const visits = hours.reduce((sum, { counts }) => sum + counts.first, 0)
  return {
    ...(await store.notices.growthBetween(from, to)),
    ...(hours.length > 0 && { visits }),
    sources,
    ...(heardNothing && heardNothing.people > 0 && { heardNothing }),
    ...(backups && { backups: backupsOfDay(await backups.state(now)) }),
  }
}
