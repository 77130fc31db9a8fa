/** Longest address we accept, in characters: RFC 5321's 256-octet path without its two brackets. */
export const EMAIL_MAX_LENGTH = 254

/**
 * The specification's "standard address pattern", for an address that is already normalised.
 *
 * The same text goes into `firestore.rules`, whose engine is RE2: so no look-around and no `\s`
 * (RE2's knows ASCII only) but Unicode classes, which both engines read alike. Capital letters
 * are refused here, because the `lower()` of the rules knows ASCII only.
 * Matches in linear time, since no part of the pattern is ambiguous.
 */
export const EMAIL_PATTERN = (() => {
  // U+FFFD replaces a byte sequence that could not be decoded; the original character is lost.
  const never = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Lu}\p{Lt}${'\uFFFD'}`
  const atom = String.raw`[^<>()\[\]\\.,;:@"\p{Z}${never}]+`
  const quoted = String.raw`"[^\p{Zl}\p{Zp}${never}]+"`
  const ipLiteral = String.raw`\[[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\]`
  // The second form of the top-level part is a Unicode one in ASCII: `xn--p1ai` is `рф`.
  const domain = String.raw`(?:[a-z0-9-]+\.)+(?:[a-z]{2,}|xn--[a-z0-9-]*[a-z0-9])`
  return String.raw`(?:${atom}(?:\.${atom})*|${quoted})@(?:${ipLiteral}|${domain})`
})()

const wholeAddress = new RegExp(`^(?:${EMAIL_PATTERN})$`, 'u')

/**
 * Normalises what a visitor typed and checks it: the one e-mail rule, for page, server and
 * operator.
 *
 * @returns the address as it is stored (trimmed, domain in ASCII, lower case),
 *   or `undefined` if it is not a valid address.
 */
export function parseEmail(input: string): string | undefined {
  // Long input is refused before any work is done. Normalising never makes it half as long.
  if (input.length > 4 * EMAIL_MAX_LENGTH) return undefined
  const email = normalise(input)
  return email.length <= EMAIL_MAX_LENGTH && wholeAddress.test(email) ? email : undefined
}

function normalise(input: string): string {
  const trimmed = input.trim()
  const at = trimmed.lastIndexOf('@') + 1
  return (trimmed.slice(0, at) + domainToAscii(trimmed.slice(at))).toLowerCase()
}

/** UTS 46 by the platform's own URL parser, which every browser and Node share. */
function domainToAscii(domain: string): string {
  const isAscii = /^[\0-\x7f]*$/.test(domain)
  // These characters have a meaning in a URL; in a domain they are mistakes.
  if (isAscii || /[\s/?#:%\\[\]]/.test(domain)) return domain
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return domain
  }
}
