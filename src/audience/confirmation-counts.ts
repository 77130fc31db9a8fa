import { consentIn } from '../people/pending.ts'
import type { Store } from '../store/store.ts'

/** The results of asking visitors to confirm their sign-up. */
export interface ConfirmationCounts {
  /** Sign-ups whose letter has yet to leave. */
  readonly waiting: number
  readonly asked: number
  /** Those who came with signs of a robot, and have not confirmed. */
  readonly withSigns: number
  readonly confirmed: number
  readonly expired: number
  /** Median time until a confirmation of the newest people, in seconds; `null` while none of them has confirmed. */
  readonly medianSeconds: number | null
  /** Letters that did not leave, by the mail server's answer. */
  readonly failures: Readonly<Record<string, number>>
}

/** How many tell how long it takes. */
const NEWEST = 1000

/** @returns `undefined` where nobody was ever asked. @throws StoreUnavailable */
export async function confirmationCounts(store: Store): Promise<ConfirmationCounts | undefined> {
  const { waiting, expired } = await store.requests.counts()
  const { isAny, open, withSigns, failures } = await store.requests.asked()
  if (!isAny && waiting + expired === 0) return undefined
  const { confirmed } = await store.growth.since(new Date())
  const asked = confirmed + open + expired
  const medianSeconds = await medianOf(store)
  return { waiting, asked, withSigns, confirmed, expired, medianSeconds, failures }
}

/** In seconds, of the newest people. */
async function medianOf({ list }: Pick<Store, 'list'>): Promise<number | null> {
  const seconds: number[] = []
  for (const { extra } of await list.newest(NEWEST)) {
    const consent = consentIn(extra)
    if (consent)
      seconds.push((Date.parse(consent.confirmedAt) - Date.parse(consent.askedAt)) / 1000)
  }
  return seconds.sort((a, b) => a - b)[Math.floor((seconds.length - 1) / 2)] ?? null
}
