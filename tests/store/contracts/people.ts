import type { Subscriber } from '../../../src/shared/subscriber.ts'

/** The n-th of a row of people who signed up a minute apart, some time ago. */
export function person(n: number): Subscriber {
  return {
    email: `person${n}@example.com`,
    subscribedAt: new Date(Date.UTC(2026, 0, 1) + n * 60_000),
  }
}

/** The first `count` of them, in order of sign-up. */
export function people(count: number): Subscriber[] {
  return Array.from({ length: count }, (_, i) => person(i + 1))
}

/** So many that they fill two of the largest pages that a store reads a list in, which have a thousand. */
export const SOME_PAGES = 2100
