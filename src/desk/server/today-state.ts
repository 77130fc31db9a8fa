import { curveOf, earliestOf, signUpsIn, startsOf, usualBy } from '../../audience/growth.ts'
import { conversionOf, countedSignUps, type Traffic, trafficOf } from '../../audience/traffic.ts'
import { countdownOf } from '../../opening/read-opening.ts'
import type { HeldLetters } from '../../shared/held-letters.ts'
import { readSeldom } from '../../shared/read-seldom.ts'
import type { Opening } from '../../store/opening.ts'
import type { Store } from '../../store/store.ts'
import type { Growth } from '../../store/subscriber-list.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import type {
  HealthLight,
  LatestSignUp,
  PeopleCounts,
  SourceCounts,
  TodayState,
} from '../contract/today.ts'
import { type HealthParts, healthOf } from './health.ts'
import { setOpeningOf } from './opening-state.ts'
import type { DeskParts } from './parts.ts'

/** As many days as `status` has. */
const TRAFFIC_DAYS = 30
const MOST_SOURCES = 40
const LATEST = 12

/**
 * Reads what the first page shows, once for all viewers at the same time. In an outage of the store
 * it gives what was last read, without the latest sign-ups, and says so.
 *
 * @returns a reader. It throws StoreUnavailable while nothing was read yet.
 */
export function todayReader(
  parts: HealthParts & Pick<DeskParts, 'product'> & { held: () => Promise<HeldLetters> },
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
    const [seen, lights, held] = [await traffic(), await health(), await parts.held()]
    const all = { growth, latest, opening, countdown, traffic: seen, health: lights, held }
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
  readonly health: readonly HealthLight[]
  readonly held: HeldLetters
}

function stateOf(
  now: Date,
  { growth, traffic, latest, opening, countdown, health, held }: Found,
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
    sources: sourcesIn(traffic, byDay),
    latest,
    health,
    held,
  }
}

function peopleIn({ standings, toConfirm, ...growth }: Growth): PeopleCounts {
  const { forgotten: _, ...people } = standings
  const confirmed = growth.confirmed + growth.confirmedLater
  // Nobody is asked to confirm.
  return confirmed + toConfirm === 0 ? people : { ...people, confirmed, toConfirm }
}

/** The sources, with a row for unknown ones, so that the numbers add up; then the campaigns. */
function sourcesIn({ sources, whole, days }: Traffic, byDay: readonly number[]): SourceCounts[] {
  const led = sources.filter(({ kind }) => kind === 'source' || kind === 'host')
  const sum = (
    field: 'visits' | 'signUps',
    rows: readonly { visits: number; signUps: number | null }[],
  ) => rows.reduce((all, row) => all + (row[field] ?? 0), 0)
  const named = led.filter(({ name }) => name !== null)
  const shown = named.slice(0, MOST_SOURCES)
  const rest = [...named.slice(MOST_SOURCES), ...led.filter(({ name }) => name === null)]
  const signUps = countedSignUps(days, byDay)
  const unnamed = (kind: 'rest' | 'none', visits: number, signUps: number) => ({
    kind,
    name: '',
    visits: Math.max(0, visits),
    signUps: Math.max(0, signUps),
  })
  const none = unnamed('none', whole.first - sum('visits', led), signUps - sum('signUps', led))
  const campaigns = sources.filter(({ kind, name }) => kind === 'campaign' && name !== null)
  return [
    ...[...shown, ...campaigns.slice(0, MOST_SOURCES)].map(({ kind, name, visits, signUps }) => ({
      kind,
      name: name ?? '',
      visits,
      signUps,
    })),
    ...(rest.length > 0 ? [unnamed('rest', sum('visits', rest), sum('signUps', rest))] : []),
    ...(none.visits + none.signUps > 0 ? [none] : []),
  ]
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
  const health = last.health.map((light) =>
    light.name === 'Database'
      ? { ...light, tone: 'bad' as const, text: 'cannot be reached' }
      : light,
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
