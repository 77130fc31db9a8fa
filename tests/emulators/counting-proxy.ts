import { connect, constants, createServer, type Http2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'

/** What Firestore was asked for since it was last looked at, as it is charged. */
export interface Counted {
  calls: number
  reads: number
  writes: number
}

export interface CountingProxy {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  readonly origin: string
  /** What was counted since the last time. */
  take(): Counted
  close(): Promise<void>
}

/** Each answer to these has one of these fields for a document, there or not; an aggregate is one. */
const readFields: Readonly<Record<string, readonly number[]>> = {
  BatchGetDocuments: [1, 2],
  RunQuery: [1],
  RunAggregationQuery: [1],
}
/** Of a commit's request. */
const WRITES_FIELD = 2

const none = (): Counted => ({ calls: 0, reads: 0, writes: 0 })

/** Stands before a Firestore and reads along. @param origin of the emulator */
export async function startCountingProxy(origin: string): Promise<CountingProxy> {
  const far = connect(origin)
  let counted = none()

  const server = createServer()
  server.on('stream', (near, headers) => {
    const method = String(headers[':path']).split('/').at(-1) ?? ''
    counted.calls += 1
    const onward = far.request(headers)
    eachMessage(near, (message) => {
      if (method === 'Commit')
        counted.writes += fieldsOf(message).filter((field) => field === WRITES_FIELD).length
    })
    eachMessage(onward, (message) => {
      const wanted = readFields[method] ?? []
      if (fieldsOf(message).some((field) => wanted.includes(field))) counted.reads += 1
    })
    onward.on('response', (answer, flags) => {
      const endStream = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0
      near.respond(answer, endStream ? { endStream } : { waitForTrailers: true })
    })
    onward.on('trailers', (trailers) => near.on('wantTrailers', () => near.sendTrailers(trailers)))
    near.on('error', () => onward.close())
    onward.on('error', () => near.close())
    near.pipe(onward)
    onward.pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = counted
      counted = none()
      return taken
    },
    close() {
      far.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Cuts a stream of gRPC into its messages: a flag, four bytes of length, and so many bytes. */
function eachMessage(stream: Http2Stream, onMessage: (message: Buffer) => void): void {
  let rest = Buffer.alloc(0)
  stream.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length >= 5 + rest.readUInt32BE(1)) {
      const end = 5 + rest.readUInt32BE(1)
      onMessage(rest.subarray(5, end))
      rest = rest.subarray(end)
    }
  })
}

/** The numbers of the fields of a message in Protocol Buffers, in their order. */
function fieldsOf(message: Buffer): number[] {
  const fields: number[] = []
  let at = 0
  const number = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++] ?? 0
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const tag = number()
    fields.push(Math.floor(tag / 8))
    const kind = tag % 8
    // Of the other two kinds, one has eight bytes and one four.
    const length = kind === 0 || kind === 2 ? number() : kind === 1 ? 8 : 4
    if (kind !== 0) at += length
  }
  return fields
}
