/**
 * Which labels of a domain are taken that are not ASCII: those that IDNA 2008 permits (RFC 5892) and
 * that are of one script (UTS 39), since a mix of look-alikes or a sign beside a word is nobody's
 * domain. The classes of Unicode are those of the engine, so that no table has to be kept.
 */

/** RFC 5892, 2.6 (those that are disallowed) and 2.7 to 2.9: unstable, ignored, of old Hangul. */
const disallowed = String.raw`\p{CWKCF}\p{DI}\u0640\u07FA\u302E\u302F\u3031-\u3035\u303B\u20D0-\u20FF\u{1D100}-\u{1D24F}\u1100-\u11FF\uA960-\uA97F\uD7B0-\uD7FF`
/** RFC 5892, 2.6: permitted though another rule says no, or in the right context. */
const exceptions = String.raw`\u00DF\u03C2\u06FD\u06FE\u0F0B\u3007\u00B7\u0375\u05F3\u05F4\u30FB\u200C\u200D`
const permitted = new RegExp(
  String.raw`^(?:(?![${disallowed}])[\p{L}\p{Mn}\p{Mc}\p{Nd}-]|[${exceptions}])+$`,
  'u',
)

/** RFC 5891, 4.2.3.1 and 4.2.3.2; and RFC 5892, appendix A.3 to A.9. */
const misplaced = [
  /^(?:-|..--|\p{M})|-$/u,
  /(?:^|[^l])·|·(?!l)/u,
  /͵(?!\p{sc=Grek})/u,
  /(?:^|\P{sc=Hebr})[׳״]/u,
  /^[^\p{sc=Hira}\p{sc=Kana}\p{sc=Hani}]*・[^\p{sc=Hira}\p{sc=Kana}\p{sc=Hani}]*$/u,
  /[٠-٩].*[۰-۹]|[۰-۹].*[٠-٩]/u,
]

/**
 * Joiners in their right place (RFC 5892, appendix A.1 and A.2): behind the virama of an Indic script,
 * or, without width, between two Arabic letters that would join. The engine does not know how letters
 * join; those left out before it join none that follows.
 */
const joiners =
  /[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA][\u200C\u200D]|(?![\u0621-\u0625\u0627\u0629\u062F-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06C0\u06C3-\u06CB\u06CD\u06CF\u06D2-\u06D5\u06EE\u06EF])(?=\p{L})\p{sc=Arab}\p{Mn}*\u200C(?=\p{Mn}*(?![\u0621\u0674])(?=\p{L})\p{sc=Arab})/gu

/**
 * The scripts in everyday use (UAX 31, table 5, and some of table 7) by their codes of ISO 15924. What
 * UTS 39 counts as one is written together, with the Latin letters of Japanese.
 */
const scripts = (
  'HaniHiraKanaLatn HaniBopo HaniHang Arab Armn Beng Cans Cher Cyrl Deva Ethi Geor Grek Gujr Guru ' +
  'Hebr Khmr Knda Laoo Mlym Mong Mymr Nkoo Orya Sinh Syrc Taml Telu Tfng Thaa Thai Tibt Yiii'
).split(' ')
const inClass = (codes: string) => codes.replace(/\w{4}/g, String.raw`\p{scx=$&}`)
const ofOneScript = [
  ...scripts.map((codes) => String.raw`[\p{scx=Zyyy}\p{scx=Zinh}${inClass(codes)}]`),
  // Any other is rare enough not to be mistaken for one of these.
  `[^${inClass(scripts.join(''))}]`,
].map((letter) => new RegExp(`^${letter}+$`, 'u'))

export const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text)

/** @param label one that is not ASCII, in small letters. */
export function isPermitted(label: string): boolean {
  return (
    permitted.test(label) &&
    label === label.normalize() &&
    !misplaced.some((mistake) => mistake.test(label)) &&
    !/[\u200C\u200D]/.test(label.replace(joiners, '')) &&
    ofOneScript.some((script) => script.test(label))
  )
}

/** RFC 1035: of a label in ASCII, `xn--` included. */
export const LONGEST_LABEL = 63

/**
 * A label as people read it, from its form in ASCII (Punycode, RFC 3492, 6.2).
 *
 * @param label in small letters. @returns the same text where it is no such form.
 */
export function readableLabel(label: string): string {
  if (!label.startsWith('xn--') || label.length > LONGEST_LABEL) return label
  const digits = label.slice(4)
  const basic = Math.max(digits.lastIndexOf('-'), 0)
  const letters = [...digits.slice(0, basic)]
  let [next, index, code, bias] = [basic && basic + 1, 0, 128, 72]
  while (next < digits.length) {
    const before = index
    let weight = 1
    for (let k = 36; ; k += 36) {
      const digit = (Number.parseInt(digits.charAt(next), 36) + 26) % 36
      // Behind the last digit there is none.
      if (Number.isNaN(digit)) return label
      next += 1
      index += digit * weight
      const threshold = Math.min(Math.max(k - bias, 1), 26)
      if (digit < threshold) break
      weight *= 36 - threshold
    }
    const length = letters.length + 1
    let delta = Math.floor((index - before) / (before === 0 ? 700 : 2))
    delta += Math.floor(delta / length)
    for (bias = 0; delta > 455; bias += 36) delta = Math.floor(delta / 35)
    bias += Math.floor((36 * delta) / (delta + 38))
    code += Math.floor(index / length)
    if (code > 0x10ffff) return label
    index %= length
    letters.splice(index, 0, String.fromCodePoint(code))
    index += 1
  }
  const read = letters.join('')
  return isAscii(read) ? label : read
}
