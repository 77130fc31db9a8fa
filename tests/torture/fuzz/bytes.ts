import fc from 'fast-check'
import { CANARY, type HostileRequest, hostileRequests } from './requests.ts'

/** A request on the wire, with a length that is right. */
function written({ method, url, headers, body }: HostileRequest): string {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(
    ([name, text]) => `${name}: ${text}`,
  )
  const length = Buffer.byteLength(body)
  return `${method} ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\ncontent-length: ${length}\r\n\r\n${body}`
}

const post = (more: string, body: string) =>
  `POST /api/subscribers HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n${more}\r\n\r\n${body}`

const smuggled = `GET /${CANARY} HTTP/1.1\r\nHost: localhost\r\n\r\n`

/** What has led servers and proxies to see two requests where there is one, and the other way round. */
const ambiguous = [
  post('Transfer-Encoding: chunked\r\nContent-Length: 4', `0\r\n\r\n${smuggled}`),
  post('Content-Length: 4\r\nTransfer-Encoding: chunked', `5c\r\n${smuggled}\r\n0\r\n\r\n`),
  post('Transfer-Encoding: chunked, identity', '0\r\n\r\n'),
  post('Transfer-Encoding : chunked', '0\r\n\r\n'),
  post('Transfer-Encoding: xchunked', smuggled),
  post('Transfer-Encoding:\u000bchunked', smuggled),
  post('Content-Length: 0\r\nContent-Length: 44', smuggled),
  post('Content-Length: +3', 'abc'),
  post('Content-Length: -1', 'abc'),
  post('Content-Length: 0x3', 'abc'),
  post('Content-Length: 99999999999999999999', 'abc'),
  post('X: a\r\n folded', ''),
  post('X: a\nContent-Length: 3', 'abc'),
]

const chunkedBodies = [
  ...[
    'g\r\n',
    '-1\r\n',
    'ffffffffffffffff\r\n',
    '5\r\nabc',
    '3\r\nabcdef\r\n0\r\n\r\n',
    '3;x=y\r\nabc\r\n0\r\n\r\n',
  ],
  ...[
    `3;${'x'.repeat(20_000)}\r\nabc\r\n0\r\n\r\n`,
    `0\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
    '3\nabc\n0\n\n',
    '\r\n',
  ],
].map((body) => post('Transfer-Encoding: chunked', body))

const notHttp = [
  ...[
    '\r\n\r\n\r\n',
    '\0\0\0\0',
    '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ],
  ...[
    'GET / HTTP/9.9\r\n\r\n',
    'GET / HTTP/1.0\r\n\r\n',
    'GET /\r\n',
    'CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n',
  ],
  ...[
    'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    'GET / HTTP/1.1\r\n: x\r\n\r\n',
    'SSH-2.0-x\r\n',
  ],
  `GET / HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(2500)}\r\n`,
  'GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
]

const one = fc.oneof(
  { weight: 3, arbitrary: hostileRequests.map(written) },
  fc.constantFrom(...ambiguous, ...chunkedBodies, ...notHttp),
  fc.string({ unit: 'binary', maxLength: 200 }),
)

/**
 * What a client writes: one or several requests at once, perhaps damaged, in pieces cut anywhere.
 */
export const hostileBytes: fc.Arbitrary<Buffer[]> = fc
  .tuple(
    fc.array(one, { minLength: 1, maxLength: 4 }),
    fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 2 }),
    fc.array(fc.nat(), { maxLength: 4 }),
  )
  .map(([texts, damages, cuts]) => {
    const bytes = Buffer.from(texts.join(''))
    for (const [at, value] of damages) if (bytes.length > 0) bytes[at % bytes.length] = value
    const at = cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b)
    return [0, ...at].map((from, i) => bytes.subarray(from, at[i] ?? bytes.length))
  })
