/** Longest address we accept, in characters: RFC 5321's 256-octet path without its two brackets. */
export const EMAIL_MAX_LENGTH = 254

const atom = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = '(?!xn--)[a-z0-9-]+'
const plain = new RegExp(`^${atom}(\\.${atom})*@(${label}\\.)+[a-z]{2,}$`)

/**
 * Most addresses: in ASCII, with nothing to read and nothing around them but spaces. The whole rule,
 * `parseEmail`, takes them as they are; the page sends them without having loaded it.
 *
 * @returns the address as it is stored, or `undefined` where only the whole rule can tell.
 */
export function plainEmail(input: string): string | undefined {
  // Long input is refused before any work is done.
  if (input.length > 4 * EMAIL_MAX_LENGTH) return undefined
  const email = input.trim().toLowerCase()
  return email.length <= EMAIL_MAX_LENGTH && plain.test(email) ? email : undefined
}
