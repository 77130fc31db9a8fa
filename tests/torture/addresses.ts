import fc from 'fast-check'

/** Pieces that addresses are made of, and that they should not be made of. */
const pieces = [
  ...`@ . .. " \\ [ ] ( ) < > , ; : - + com 1 _ / ? # {{ %40 <b> visitor A É ß ǅ İ 名 👋`.split(
    ' ',
  ),
  ...'example.com EXAMPLE.Org münchen.de пример.рф 例え。jp xn--p1ai 127.0.0.1 localhost'.split(
    ' ',
  ),
  ...[' ', '\t', 'e\u0301', '\u200b', '\u202e', '\u00a0', '\0', '\r\n', '\u2028', '\ud800'],
  ...['\udc00', '\ufffd', "'; DROP TABLE", '[192.168.0.1]', '[IPv6:::1]'],
  ...['x'.repeat(60), 'a'.repeat(64)],
]

const anything = fc.string({ unit: 'binary', maxLength: 300 })
const fromPieces = fc
  .array(fc.constantFrom(...pieces), { maxLength: 8 })
  .map((parts) => parts.join(''))

/** What somebody may put into the field: good addresses, nearly good ones, and anything at all. */
export const inputs: fc.Arbitrary<string> = fc.oneof(
  anything,
  fromPieces,
  fc.emailAddress(),
  fc.tuple(fromPieces, fromPieces).map((parts) => parts.join('@')),
  fc.tuple(fc.emailAddress(), fromPieces, fc.nat()).map(([email, piece, at]) => {
    const index = at % (email.length + 1)
    return email.slice(0, index) + piece + email.slice(index)
  }),
  fc
    .tuple(fromPieces, fc.constantFrom('example.com', 'münchen.de', 'b.co'))
    .map((p) => p.join('@')),
)
