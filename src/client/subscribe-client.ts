import type { SubscribeBody } from '../shared/api.ts'
import type { Outcome } from '../shared/outcome.ts'

/** How a page reaches a backend. One adapter a mode: `httpClient`, `firebaseClient`. */
export interface SubscribeClient {
  /**
   * Ensures an anonymous user: reuses the one of an earlier visit, else signs in.
   * Called once at start and, where that failed, once more by `subscribe`.
   *
   * @throws what went wrong; the caller logs it and the page goes on.
   */
  signIn(signal: AbortSignal): Promise<void>

  /**
   * Adds a subscriber, and resolves when the backend has committed it.
   *
   * @param body its e-mail address as `parseEmail` returns it. A static host stores no other field
   *   of it.
   * @throws when `signal` aborts, when a session is not sent back, when the backend cannot be reached, or
   *   something unforeseen breaks; all count as `failed`.
   */
  subscribe(body: SubscribeBody, signal: AbortSignal): Promise<Outcome>
}
