import { curveOf, earliestOf, type Span, startsOf } from '../../audience/growth.ts'
import { trafficOf } from '../../audience/traffic.ts'
import { growthParts } from '../../report/makers/growth.ts'
import { readSeldom } from '../../shared/read-seldom.ts'
import type { Note, Table } from '../../shared/report.ts'
import { say } from '../../shared/say.ts'
import type { Store } from '../../store/store.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { sourceless } from '../contract/people.ts'
import type { TodayState } from '../contract/today.ts'
import { type HealthParts, healthOf } from './health.ts'
import { openingStateOf } from './opening-state.ts'
import type { DeskParts } from './parts.ts'

/** As many days as `status` has. */
const TRAFFIC_DAYS = 30
const LATEST = 12

/**
 * Reads what the first page shows, once for all viewers at the same time. In an outage of the store
 * it gives what was last read, without the latest sign-ups, and says so.
 *
 * @returns a reader. It throws StoreUnavailable while nothing was read yet.
 */
export function todayReader(
  parts: HealthParts & Pick<DeskParts, 'product'>,
): () => Promise<TodayState> {
  const { store, product } = parts
  const traffic = readSeldom(() =>
    trafficOf(store.visits, startsOf('day', new Date(), TRAFFIC_DAYS)),
  )
  const health = healthOf(parts)
  /** Kept without addresses, since their owners may be forgotten meanwhile. */
  let last: TodayState | undefined

  async function read(): Promise<TodayState> {
    const now = new Date()
    const growth = await store.growth.since(earliestOf(now))
    const latest = await latestIn(store)
    const opening = await store.opening.get()
    const days = startsOf('day', now, TRAFFIC_DAYS)
    const found = { product, now, growth, days, opening, traffic: await traffic() }
    const title = say('Today')
    const told = growthParts(found)
    const curve = (span: Span) => curveOf(span, growth, now)
    last = {
      at: Number(now),
      opening: openingStateOf(opening, product, now),
      report: { title, parts: told },
      curves: { hour: curve('hour'), day: curve('day'), week: curve('week') },
      health: await health(),
    }
    return { ...last, report: { title, parts: [...told, latest] } }
  }

  return shared(() =>
    read().catch((error) => {
      if (!last || !(error instanceof StoreUnavailable)) throw error
      return inTrouble(last)
    }),
  )
}

async function latestIn(store: Store): Promise<Table> {
  const { people } = await store.people.page({ limit: LATEST })
  return {
    ...{ part: 'table', name: 'latest', title: say('Latest'), most: LATEST },
    columns: [
      { name: 'email', kind: 'email' },
      { name: 'standing', head: say('Standing'), kind: 'standing' },
      { name: 'source', head: say('Source'), kind: 'foreign', isDetail: true },
      { name: 'at', head: say('Age'), kind: 'time' },
    ],
    rows: people.map(({ email, addressId, subscribedAt, source, ...one }) => ({
      ...{ id: addressId, email, standing: one.standing, at: subscribedAt.toISOString() },
      source: (!one.isImported && (source?.source ?? source?.campaign)) || sourceless(one),
    })),
  }
}

/** The last state, marked as out of date. */
function inTrouble(last: TodayState): TodayState {
  const health = last.health.map(
    (note): Note =>
      note.code === 'file' ? { ...note, text: say('cannot be reached'), weight: 'bad' } : note,
  )
  return { ...last, health, trouble: say('The database cannot be reached') }
}

/** Callers that come during a read share its result. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
}
