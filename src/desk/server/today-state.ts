import { curveOf, earliestOf, signUpsIn, startsOf, usualBy } from '../../audience/growth.ts'
import { conversionOf, sourceCounts, type Traffic, trafficOf } from '../../audience/traffic.ts'
import { countdownOf } from '../../opening/read-opening.ts'
import { readSeldom } from '../../shared/read-seldom.ts'
import type { Note } from '../../shared/report.ts'
import type { Opening } from '../../store/opening.ts'
import type { Store } from '../../store/store.ts'
import type { Growth } from '../../store/subscriber-list.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import type { LatestSignUp, PeopleCounts, TodayState } from '../contract/today.ts'
import { type HealthParts, healthOf } from './health.ts'
import { setOpeningOf } from './opening-state.ts'
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
  const countdown = countdownOf(product)?.at
  const traffic = readSeldom(() =>
    trafficOf(store.visits, startsOf('day', new Date(), TRAFFIC_DAYS), false),
  )
  const health = healthOf(parts)
  /** Kept without addresses, since their owners may be forgotten meanwhile. */
  let last: TodayState | undefined

  async function read(): Promise<TodayState> {
    const now = new Date()
    const growth = await store.growth.since(earliestOf(now))
    const latest = await latestIn(store)
    const opening = await store.opening.get()
    const [seen, notes] = [await traffic(), await health()]
    const all = { growth, latest, opening, countdown, traffic: seen, health: notes }
    const state = stateOf(now, all)
    last = { ...state, latest: [] }
    return state
  }

  return shared(() =>
    read().catch((error) => {
      if (!last || !(error instanceof StoreUnavailable)) throw error
      return inTrouble(last)
    }),
  )
}

interface Found {
  readonly growth: Growth
  readonly traffic: Traffic
  readonly latest: readonly LatestSignUp[]
  readonly opening: Opening | undefined
  readonly countdown: Date | undefined
  readonly health: readonly Note[]
}

function stateOf(
  now: Date,
  { growth, traffic, latest, opening, countdown, health }: Found,
): TodayState {
  const days = startsOf('day', now, TRAFFIC_DAYS)
  const byDay = signUpsIn(growth.quarters, days)
  const { today, whole } = traffic
  return {
    at: Number(now),
    ...(opening && { opening: setOpeningOf(opening, now) }),
    ...(countdown && { countdown: Number(countdown) }),
    people: peopleIn(growth),
    signUpsToday: byDay.at(-1) ?? 0,
    usual: usualBy(growth, now),
    visits: {
      first: today.first,
      again: today.return,
      robots: today.robot,
      isAny: whole.first + whole.return > 0,
    },
    conversion: {
      today: conversionOf(traffic.days.slice(-1), byDay.slice(-1)),
      week: conversionOf(traffic.days.slice(-7), byDay.slice(-7)),
    },
    curves: {
      hour: curveOf('hour', growth, now),
      day: curveOf('day', growth, now),
      week: curveOf('week', growth, now),
    },
    sources: sourceCounts(traffic, byDay).map(({ kind, name, visits, signUps }) => ({
      ...{ kind, name, visits, signUps },
    })),
    latest,
    health,
  }
}

function peopleIn({ standings, toConfirm, ...growth }: Growth): PeopleCounts {
  const { forgotten: _, ...people } = standings
  const confirmed = growth.confirmed + growth.confirmedLater
  // Nobody is asked to confirm.
  return confirmed + toConfirm === 0 ? people : { ...people, confirmed, toConfirm }
}

async function latestIn(store: Store): Promise<LatestSignUp[]> {
  const { people } = await store.people.page({ limit: LATEST })
  return people.map(({ email, addressId, subscribedAt, standing, isImported, source: from }) => {
    const source = from?.source ?? from?.campaign
    return {
      id: addressId,
      email,
      at: subscribedAt.getTime(),
      standing,
      ...(source !== undefined && { source }),
      ...(isImported && { isImported }),
    }
  })
}

/** The last state, marked as out of date. */
function inTrouble(last: TodayState): TodayState {
  const health = last.health.map(
    (note): Note =>
      note.code === 'file' ? { ...note, text: 'cannot be reached', weight: 'bad' } : note,
  )
  return { ...last, health, trouble: 'The database cannot be reached' }
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
