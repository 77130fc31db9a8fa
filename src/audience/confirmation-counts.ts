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
  /** Letters that did not leave, by the mail server's answer. */
  readonly failures: Readonly<Record<string, number>>
}

/** @returns `undefined` where nobody was ever asked. @throws StoreUnavailable */
export async function confirmationCounts(store: Store): Promise<ConfirmationCounts | undefined> {
  const { waiting, expired } = await store.requests.counts()
  const { isAny, open, withSigns, failures } = await store.requests.asked()
  if (!isAny && waiting + expired === 0) return undefined
  const { confirmed } = await store.growth.since(new Date())
  const asked = confirmed + open + expired
  return { waiting, asked, withSigns, confirmed, expired, failures }
}
