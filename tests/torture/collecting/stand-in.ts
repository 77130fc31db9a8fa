/**
 * Speaks as much of Firestore as taking in asks for, with so many documents that nobody keeps: each is
 * made of its number when it is asked for. The emulator passes over all documents for each page, so it
 * has no answer for a million.
 */
import { createHash } from 'node:crypto'
import { createServer, type ServerHttp2Stream } from 'node:http2'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'

const DOCUMENTS = Number(process.env.DOCUMENTS)
/** The week in which they came, an hour ago at the latest. */
const [FROM_S, WEEK_S] = [Math.floor(Date.now() / 1000) - 7 * 86_400 - 3600, 7 * 86_400]
/** Has no factor in common with numbers of documents: so the order of times is none of addresses. */
const STEP = 7_654_321

const require = createRequire(import.meta.url)
const library = dirname(require.resolve('@google-cloud/firestore/package.json'))
const v1 = require(join(library, 'build/protos/firestore_v1_proto_api.js')).google.firestore.v1

interface Time {
  readonly seconds: number
  readonly nanos: number
}
interface Query {
  readonly from: readonly [{ readonly collectionId: string }]
  readonly where: { readonly compositeFilter: { readonly filters: readonly Filter[] } }
  readonly startAt?: { readonly values: readonly [{ readonly stringValue: string }] }
  readonly limit: { readonly value: number }
}
interface Filter {
  readonly fieldFilter: { readonly op: number; readonly value: { readonly timestampValue?: Time } }
}
interface Write {
  readonly update: { readonly name: string; readonly fields: Record<string, object> }
  readonly updateTransforms: readonly { readonly fieldPath: string }[]
}
/** What all methods are asked, together. */
interface Asked {
  readonly documents: readonly string[]
  readonly writes: readonly Write[]
  readonly parent: string
  readonly structuredQuery: Query
  readonly structuredAggregationQuery: {
    readonly structuredQuery: Query
    readonly aggregations: readonly [{ readonly alias: string }]
  }
}
const now = (): Time => ({ seconds: Math.floor(Date.now() / 1000), nanos: 0 })
const isUntil = (one: Time, { seconds, nanos }: Time) =>
  one.seconds < Number(seconds) || (one.seconds === Number(seconds) && one.nanos <= nanos)

const emailOf = (n: number) => `visitor${String(n).padStart(9, '0')}@example.com`
const numberIn = (email: string) => Number(/^visitor(\d+)@/.exec(email)?.[1] ?? -1)

function timeOf(n: number): Time {
  const microseconds = Math.floor((((n * STEP) % DOCUMENTS) * WEEK_S * 1e6) / DOCUMENTS)
  return {
    seconds: FROM_S + Math.floor(microseconds / 1e6),
    nanos: (microseconds % 1e6) * 1000,
  }
}

/** What was written: the claim. */
const written = new Map<string, object>()

const methods: Record<
  string,
  readonly [request: string, answer: string, (asked: Asked) => object[]]
> = {
  BatchGetDocuments: [
    'BatchGetDocumentsRequest',
    'BatchGetDocumentsResponse',
    ({ documents }) =>
      documents.map((name) => {
        const found = written.get(name)
        return { ...(found ? { found } : { missing: name }), readTime: now() }
      }),
  ],
  Commit: [
    'CommitRequest',
    'CommitResponse',
    ({ writes }) => {
      const time = now()
      for (const { update, updateTransforms } of writes) {
        for (const { fieldPath } of updateTransforms)
          update.fields[fieldPath] = { timestampValue: time }
        written.set(update.name, { ...update, createTime: time, updateTime: time })
      }
      return [{ commitTime: time, writeResults: writes.map(() => ({ updateTime: time })) }]
    },
  ],
  RunQuery: [
    'RunQueryRequest',
    'RunQueryResponse',
    ({ parent, structuredQuery: { from, where, startAt, limit } }) => {
      const readTime = now()
      const answers: object[] = [{ readTime }]
      if (from[0].collectionId !== 'subscribers') return answers
      const since = timesIn(where).GREATER_THAN_OR_EQUAL
      let n = startAt ? numberIn(startAt.values[0].stringValue) + 1 : 0
      for (; n < DOCUMENTS && answers.length <= limit.value; n += 1) {
        const [email, time] = [emailOf(n), timeOf(n)]
        if (since && !isUntil(since, time)) continue
        const id = createHash('sha256').update(email).digest('hex')
        const document = {
          name: `${parent}/subscribers/${id}`,
          fields: { email: { stringValue: email }, subscribedAt: { timestampValue: time } },
          createTime: time,
          updateTime: time,
        }
        answers.push({ document, readTime })
      }
      return answers
    },
  ],
  RunAggregationQuery: [
    'RunAggregationQueryRequest',
    'RunAggregationQueryResponse',
    ({ structuredAggregationQuery: { structuredQuery, aggregations } }) => {
      const until = timesIn(structuredQuery.where).LESS_THAN_OR_EQUAL
      let count = 0
      for (let n = 0; n < DOCUMENTS; n += 1) if (until && isUntil(timeOf(n), until)) count += 1
      const aggregateFields = { [aggregations[0].alias]: { integerValue: count } }
      return [{ result: { aggregateFields }, readTime: now() }]
    },
  ],
}

/** The times of a query's conditions, by their operators. */
function timesIn({ compositeFilter: { filters } }: Query['where']): Partial<Record<string, Time>> {
  const operators = v1.StructuredQuery.FieldFilter.Operator
  return Object.fromEntries(
    filters
      .map(({ fieldFilter }) => fieldFilter)
      .map(({ op, value }) => [operators[op], value.timestampValue])
      .filter(([, time]) => time),
  )
}

async function answer(stream: ServerHttp2Stream, path: string) {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  const method = methods[path.split('/').at(-1) ?? '']
  if (!method) throw new Error(`${path} is not spoken`)
  const [asked, given, work] = method
  const answers = work(v1[asked].decode(Buffer.concat(chunks).subarray(5)))
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
  stream.end(Buffer.concat(answers.flatMap((one) => framed(v1[given].encode(one).finish()))))
}

function framed(message: Uint8Array): [Buffer, Uint8Array] {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(message.length, 1)
  return [head, message]
}

const server = createServer()
server.on('stream', (stream, headers) => {
  answer(stream, String(headers[':path'])).catch((fault) => {
    console.error(fault)
    stream.close()
  })
})
server.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
