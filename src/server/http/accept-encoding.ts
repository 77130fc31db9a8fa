/** The encodings of a file, best first. */
const encodings = ['br', 'gzip', 'identity'] as const

export type Encoding = (typeof encodings)[number]

/** Size of the cache. Browsers send the same few headers; other values must not fill the memory. */
const KNOWN = 100
/** A longer header is ignored, in characters: browsers send up to thirty. */
const LONGEST = 200
const known = new Map<string, readonly Encoding[]>()

/**
 * The encodings that a request accepts, best first (RFC 9110, 12.5.3). `identity` is last unless
 * the header prefers it. It is included even if the header excludes it, so that there is always an
 * answer.
 *
 * @param header its `Accept-Encoding`.
 */
export function acceptedEncodings(header: string | undefined): readonly Encoding[] {
  if (header === undefined || header.length > LONGEST) return ['identity']
  const parsed = known.get(header)
  if (parsed) return parsed
  const accepted = parse(header)
  if (known.size < KNOWN) known.set(header, accepted)
  return accepted
}

function parse(header: string): readonly Encoding[] {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const any = weights.get('*')
  const weightOf = (encoding: Encoding) =>
    weights.get(encoding) ?? any ?? (encoding === 'identity' ? Number.MIN_VALUE : 0)
  const accepted = encodings.filter((encoding) => weightOf(encoding) > 0)
  // Sorting keeps our own order where the weights are the same.
  const sorted = accepted.toSorted((a, b) => weightOf(b) - weightOf(a))
  return sorted.includes('identity') ? sorted : [...sorted, 'identity']
}
