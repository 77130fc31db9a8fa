/** A person who signed up. Each address is one subscriber. */
export interface Subscriber {
  /** As `parseEmail` returns it. */
  readonly email: string
  /** When the address was first submitted, by the server's clock. */
  readonly subscribedAt: Date
}

/** The specification's collection path; a document's is this, a slash and its id. */
export function subscribersPath(appId: string): string {
  return `/artifacts/${appId}/public/data/subscribers`
}

/**
 * Where a page on Firebase that was built with `CONFIRM=on` writes instead, before confirmation.
 */
export function confirmationRequestsPath(appId: string): string {
  return `/artifacts/${appId}/public/data/confirmationRequests`
}
