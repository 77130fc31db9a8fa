import { Counter, collectDefaultMetrics, Histogram, Registry } from '@prometheus-io/client'

/**
 * The counts of a running server. No label holds text from a visitor: routes are our own patterns,
 * methods and statuses are few, and all unknown ones share one name.
 */
export interface Metrics {
  /**
   * An answer that was sent.
   *
   * @param route a pattern, not a URL; `undefined` for an unknown one.
   * @param seconds from request to answer, where that is known.
   */
  answered(route: string | undefined, method: string, status: number, seconds?: number): void
  signedUp(outcome: SignUpOutcome, hasSigns: boolean): void
  /** @param seconds for all of it, the sync of the disk included. */
  committed(signUps: number, seconds: number): void
  letterSent(outcome: string): void
  readonly registry: Registry
}

/** `unavailable`: the store was away, and the visitor was told so. */
export type SignUpOutcome = 'kept' | 'unavailable' | 'fault'

/** All of ours begin with it. */
export const PREFIX = 'opening_bell_'

const methods: readonly string[] = ['GET', 'HEAD', 'POST']
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

export function createMetrics(): Metrics {
  const registry = new Registry()
  const common = { registers: [registry] }
  // Event loop, memory, processor and garbage collection, by the names that every Node has.
  collectDefaultMetrics({ register: registry })

  // Counted by hand and passed on when metrics are read: the page is answered in some 30
  // microseconds, and finding a series by its labels takes one.
  const answers = new Map<string, { route: string; method: string; status: number; n: number }>()
  new Counter({
    ...common,
    name: `${PREFIX}http_requests_total`,
    help: 'Answers that were sent, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    collect() {
      this.reset()
      for (const { n, ...labels } of answers.values()) this.inc(labels, n)
    },
  })
  const durations = new Histogram({
    ...common,
    name: `${PREFIX}http_request_duration_seconds`,
    help: 'Time from request to answer, of all but the files of the page.',
    labelNames: ['route'],
    buckets: SECONDS,
  })
  const signUps = new Counter({
    ...common,
    name: `${PREFIX}sign_ups_total`,
    help: 'Sign-ups by outcome, known addresses included, and whether they had signs of a robot.',
    labelNames: ['outcome', 'signs'],
  })
  const groups = new Histogram({
    ...common,
    name: `${PREFIX}commit_sign_ups`,
    help: 'How many sign-ups were committed together; 0 asks whether one could be.',
    buckets: [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
  })
  const commits = new Histogram({
    ...common,
    name: `${PREFIX}commit_duration_seconds`,
    help: 'Time to commit a group of sign-ups and have it on disk.',
    buckets: SECONDS,
  })
  const letters = new Counter({
    ...common,
    name: `${PREFIX}letters_total`,
    help: 'Letters of this server that were tried, by the outcome.',
    labelNames: ['outcome'],
  })
  // Outcomes that have not happened yet are 0, not a gap in a graph.
  for (const outcome of ['kept', 'unavailable', 'fault'])
    for (const signs of ['none', 'some']) signUps.inc({ outcome, signs }, 0)

  return {
    registry,
    answered(route = 'unknown', method, status, seconds) {
      const known = methods.includes(method) ? method : 'other'
      const key = `${status} ${known} ${route}`
      const counted = answers.get(key)
      if (counted) counted.n += 1
      else answers.set(key, { route, method: known, status, n: 1 })
      if (seconds !== undefined) durations.observe({ route }, seconds)
    },
    signedUp: (outcome, hasSigns) => signUps.inc({ outcome, signs: hasSigns ? 'some' : 'none' }),
    committed(count, seconds) {
      groups.observe(count)
      commits.observe(seconds)
    },
    letterSent: (outcome) => letters.inc({ outcome }),
  }
}
