import { isAscii, isPermitted, LONGEST_LABEL, readableLabel } from './domain-label.ts'
import { EMAIL_MAX_LENGTH, plainEmail } from './plain-email.ts'

export { EMAIL_MAX_LENGTH }

/** Letters, digits and some signs of full or half width, which are kept in their usual form. */
const FOLDED = '＋－．０-９＜＞＠Ａ-Ｚ＿ａ-ｚｦ-ￜ'

/**
 * The specification's "standard address pattern", for an address that is already normalised.
 *
 * The same text goes into `firestore.rules`, whose engine is RE2: so no look-around and no `\s`
 * (RE2's knows ASCII only) but Unicode classes, which both engines read alike. Capital letters
 * are refused here, because the `lower()` of the rules knows ASCII only.
 * Matches in linear time: at each character there is one way to go on.
 */
export const EMAIL_PATTERN = (() => {
  // U+FFFD replaces a byte sequence that could not be decoded; the original character is lost.
  const never = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Lu}\p{Lt}${'\uFFFD'}`
  const not = String.raw`<>\p{Z}${never}${FOLDED}`
  const character = String.raw`[^()\[\]\\.,;:@"${not}]`
  // What is written around an address is often written before or behind the name as well.
  const ascii = "[!#%&'*/?_{}^`-]"
  const first = String.raw`(?:[^\p{P}\p{Sk}\p{M}${not}]|${ascii})`
  const last = String.raw`(?:[^\p{P}\p{Sk}${not}]|${ascii})`
  const atoms = String.raw`${first}(?:(?:\.?${character})*\.?${last})?`
  const quoted = String.raw`"[^\p{Zl}\p{Zp}${never}]+"`
  const ipLiteral = String.raw`\[[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\]`
  // A top-level part outside ASCII has its form in ASCII: `xn--p1ai` is `рф`. The root has two that mix
  // letters of ASCII with others (https://data.iana.org/TLD/tlds-alpha-by-domain.txt); in any other, a
  // sign stands behind one that was meant: `xn--com-9o0a` is `com”`.
  const international = 'xn--(?:[a-z0-9]+|vermgensberater-ctb|vermgensberatung-pwb)'
  const domain = String.raw`(?:[a-z0-9-]+\.)+(?:[a-z]{2,}|${international})`
  return `(?:${atoms}|${quoted})@(?:${ipLiteral}|${domain})`
})()

const wholeAddress = new RegExp(`^(?:${EMAIL_PATTERN})$`, 'u')

/**
 * Signs that stand around an address where it was typed or copied, and that none has there: spaces,
 * punctuation and symbols outside ASCII, what nobody sees, and letters that look like such signs. A
 * symbol of full width may be of the address, as its usual form may.
 */
const SIGN = String.raw`(?![\0-\x7f\uFFFD＄＝＾｀｜～])[\p{P}\p{S}\p{Z}\p{Cf}\p{DI}ªºʹ-ˏˮ]`
const BEFORE = String.raw`(?:${SIGN}|[\s<(])`
const BEHIND = String.raw`(?:${SIGN}|[\s,;.)>"])`
const quotedOrFolded = new RegExp(`"[^"]*"|[${FOLDED}]+`, 'g')
/** What stands around an address in a name, as in `'ada@example.com' <ada@example.com>`. */
const AROUND_NAMED = /[\s'"`()[\]]+/
const betweenSigns = new RegExp(`^${BEFORE}*((?!${BEFORE}).*(?!${BEHIND}).)`, 'su')
const betweenQuotes = new RegExp(`^${BEFORE}*"([^"]*)"${BEHIND}*$`, 'u')

/**
 * Reads the address that somebody typed or pasted: the one e-mail rule, for page, server and
 * operator. What stands around a whole address is taken off: signs, `mailto:`, a name before angle
 * brackets. A valid address in ASCII stays what it is.
 *
 * @returns the address as it is stored (lower case, domain in ASCII, Unicode's form NFC), or
 *   `undefined` if it is not a valid address.
 */
export function parseEmail(input: string): string | undefined {
  const plain = plainEmail(input)
  if (plain !== undefined) return plain
  const { bare, whole } = readAddress(input)
  return judged(bare) ?? judged(whole)
}

/** As `parseEmail`, of an address with nothing but spaces around it. */
export function normaliseEmail(input: string): string | undefined {
  return plainEmail(input) ?? judged(readAddress(input).whole)
}

/** Long input is refused before any work is done. Normalising never makes it half as long. */
const bounded = (input: string) => (input.length > 4 * EMAIL_MAX_LENGTH ? '' : input)

/**
 * An address as people read it, valid or not: letters in their usual form, and the domain in Unicode.
 * Chromium's `type=email` hands it over in ASCII, with the sign behind it.
 *
 * @returns it without what stands around it, and with that.
 */
export function readAddress(input: string): { readonly bare: string; readonly whole: string } {
  const text = bounded(input)
    // Not within quotes, where each character is meant.
    .replace(quotedOrFolded, (one) => (one.startsWith('"') ? one : one.normalize('NFKC')))
    .trim()
  return { bare: between(readDomain(addressIn(text))), whole: readDomain(text) }
}

/** The address in `<mailto:ada@example.com?subject=Hi>` or `Ada <ada@example.com>`. */
function addressIn(text: string): string {
  const inner = between(betweenQuotes.exec(text)?.[1] ?? text)
  const [name = '', address, ...more] = inner.split('<')
  if (address === undefined) return between(inner.replace(/^mailto:\/*([^?%]*)(\?.*)?$/is, '$1'))
  // With two of them, nobody knows which is meant.
  const isSame = (text: string) => parseEmail(text) === parseEmail(address)
  const named = name.split(AROUND_NAMED).filter((word) => word.includes('@'))
  const isOne = more.length === 0 && (named.every(isSame) || isSame(name))
  return isOne ? addressIn(address) : ''
}

const between = (text: string) => betweenSigns.exec(text)?.[1] ?? ''

function readDomain(text: string): string {
  const at = text.lastIndexOf('@') + 1
  const domain = text
    .slice(at)
    // Letter by letter, as domains are mapped: a sigma at the end of a word is one like the others.
    .replace(/\p{CWKCF}/gu, (letter) => letter.toLowerCase())
    .replace(/[。｡]/g, '.')
    .normalize()
  const local = text.slice(0, at).toLowerCase().normalize()
  return local + domain.split('.').map(readableLabel).join('.')
}

/** What the pattern cannot name, without the signs that choose how an emoji looks. */
const UNSEEN = /(?![\uFE00-\uFE0F])\p{DI}/u

function judged(text: string): string | undefined {
  // In ASCII an address is at least half as long.
  if (text.length > 2 * EMAIL_MAX_LENGTH) return undefined
  const at = text.lastIndexOf('@') + 1
  const local = text.slice(0, at)
  const domain = domainToAscii(text.slice(at))
  if (domain === undefined || UNSEEN.test(local)) return undefined
  const email = local + domain
  return email.length <= EMAIL_MAX_LENGTH && wholeAddress.test(email) ? email : undefined
}

/** By the platform's own URL parser, which every browser and Node share; it checks directions, too. */
function domainToAscii(domain: string): string | undefined {
  if (!domain.split('.').every(isLabel)) return undefined
  if (isAscii(domain)) return domain
  // These characters have a meaning in a URL; in a domain they are mistakes.
  if (/[\s/?#:%\\[\]]/.test(domain)) return undefined
  try {
    const { hostname } = new URL(`http://${domain}`)
    return hostname.split('.').every((label) => label.length <= LONGEST_LABEL)
      ? hostname
      : undefined
  } catch {
    return undefined
  }
}

/** What stayed in the form for ASCII could not be read. */
const isLabel = (label: string) => (isAscii(label) ? !label.startsWith('xn--') : isPermitted(label))
