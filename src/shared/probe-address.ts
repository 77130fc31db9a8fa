import { randomUUID } from 'node:crypto'

/** RFC 2606: nobody ever has a mailbox under `.invalid`. */
const PATTERN = /^check-[a-z0-9-]+@opening-bell\.invalid$/

/** A new address for `check-site`. No store counts, exports or mails such an address. */
export function probeAddress(): string {
  return `check-${randomUUID()}@opening-bell.invalid`
}

/** @param email as `parseEmail` returns it. */
export function isProbeAddress(email: string): boolean {
  return PATTERN.test(email)
}
