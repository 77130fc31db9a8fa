import type { Work } from '../queue/sending-round.ts'
import { placeRounds } from './deliver-notices.ts'
import { lastEndedDay } from './end-of-day.ts'
import type { TellOperatorOptions } from './place.ts'
import { storeWatch } from './store-away.ts'
import { backupsOfDay } from './watch-backups.ts'
import { watchList } from './watch-list.ts'

const WATCH_STORE_EVERY_MS = 60_000
/** Checking the list reads much of it when many are quarantined. */
const WATCH_LIST_EVERY_MS = 300_000

/** Tells the operator what happens to the list, at their places. */
export function tellOperator(
  options: TellOperatorOptions,
): Work & Required<Pick<Work, 'begin' | 'stop'>> {
  const { store, places, log, now } = options
  const { notices } = store
  const sent = places.map((place) => placeRounds(place, options))
  const watchStore = storeWatch(options)
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
  const noteDay = dayNotes(options)
  const lookAtList = everySoOften(WATCH_LIST_EVERY_MS, now, (since) =>
    watchList({ ...options, since }, now()),
  )

  return {
    begin: open,
    async round() {
      await lookAtStore(now())
      const since = await open()
      await notices.noteMilestones(now())
      await noteDay(since)
      await lookAtList(since)
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
function dayNotes(options: TellOperatorOptions): Look {
  const { store, dayEndsAt, now } = options
  /** The last one that was noted, here or by another server. */
  let last: string | undefined
  return async (since) => {
    if (!dayEndsAt) return
    const { day, from, to } = lastEndedDay(now(), dayEndsAt)
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
  const heardNothing = await silence?.(now)
  const visits = hours.reduce((sum, { counts }) => sum + counts.first, 0)
  return {
    ...(await store.notices.growthBetween(from, to)),
    ...(hours.length > 0 && { visits }),
    ...(heardNothing && heardNothing.people > 0 && { heardNothing }),
    ...(backups && { backups: backupsOfDay(await backups.state(now)) }),
  }
}
