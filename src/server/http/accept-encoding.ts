/** The encodings of a file, best first. */
const encodings = ['br', 'gzip', 'identity'] as const

export type Encoding = (typeof encodings)[number]

/** A longer header is ignored, in characters: browsers send up to thirty. */
const LONGEST = 200

/** A name in the list, unless its weight is zero (RFC 9110, 12.5.3). */
const named = (name: string) =>
  new RegExp(String.raw`(?:^|,)\s*${name}\s*(?:$|,|;(?!\s*q=0(?:\.0*)?\s*(?:$|,)))`, 'i')
const isNamed = { br: named('br'), gzip: named('gzip'), identity: /^/ }

/**
 * The encodings that a request accepts, best first. No browser weighs one against another, and as it is
 * a file can always be sent.
 *
 * @param header its `Accept-Encoding`.
 */
export function acceptedEncodings(header = ''): readonly Encoding[] {
  if (header.length > LONGEST) return ['identity']
  return encodings.filter((encoding) => isNamed[encoding].test(header))
}
