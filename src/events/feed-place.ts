import { keyedHash } from '../keys/address-id.ts'

/** What the store knows a receiver by, which reveals no URL. @param linkKey the secret `LINK_KEY`. */
export function feedPlace(linkKey: Buffer, url: string): string {
  return keyedHash(linkKey, 'event-receiver')(url)
}
