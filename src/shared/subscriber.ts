/** Somebody who asked to be told. One for an address, whatever the store. */
export interface Subscriber {
  /** As `parseEmail` returns it. */
  readonly email: string
  /** When the address was first left, by the server's clock. */
  readonly subscribedAt: Date
}

/** The specification's collection path; a document's is this, a slash and its id. */
export function subscribersPath(appId: string): string {
  return `/artifacts/${appId}/public/data/subscribers`
}
