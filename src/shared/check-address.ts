/** `.invalid` never receives mail (RFC 2606). */
const CHECK_ADDRESS = /^check-[a-z0-9-]+@opening-bell\.invalid$/

/**
 * A fresh address for whoever checks a deployed site by signing up there. It is nobody's: wherever
 * it is kept, it is never counted, exported or mailed.
 */
export function checkAddress(): string {
  return `check-${globalThis.crypto.randomUUID()}@opening-bell.invalid`
}

/** Whether a check of a site left this address. @param email as `parseEmail` returns it. */
export function isCheckAddress(email: string): boolean {
  return CHECK_ADDRESS.test(email)
}
