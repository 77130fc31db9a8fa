import { Firestore } from '@google-cloud/firestore'
import { vi } from 'vitest'

/** What Firestore charges for. */
export interface Operations {
  /** One for a document, and for each thousand index entries that were only counted; at least one a question. */
  reads: number
  writes: number
  deletes: number
}

interface Internals {
  requestStream(method: string, ...rest: unknown[]): Promise<NodeJS.ReadableStream>
  request(method: string, request: { writes?: { delete?: string }[] }, ...rest: unknown[]): unknown
}

interface Answer {
  readonly document?: object
  readonly found?: object
  readonly missing?: string
  readonly result?: { readonly aggregateFields: Record<string, { integerValue?: string }> }
}

/**
 * Counts what all stores of this process do in Firestore while `work` runs, where it goes over the
 * wire. Index entries that a query with two ranges passes over are charged too, and not seen here.
 */
export async function countingOperations<T>(
  work: () => Promise<T>,
): Promise<{ result: T; operations: Operations; largestCommit: number }> {
  const operations: Operations = { reads: 0, writes: 0, deletes: 0 }
  let largestCommit = 0
  const wire = Firestore.prototype as unknown as Internals
  const { requestStream, request } = wire
  const asking = vi.spyOn(wire, 'requestStream').mockImplementation(async function (
    this: Internals,
    method,
    ...rest
  ) {
    const stream = await requestStream.call(this, method, ...rest)
    const emit = stream.emit.bind(stream)
    let charged = 0
    stream.emit = (event: string, ...values: unknown[]) => {
      if (event === 'data') {
        const reads = readsOf(values[0] as Answer)
        operations.reads += reads
        charged += reads
      }
      if (event === 'end' && charged === 0) operations.reads += 1
      return emit(event, ...values)
    }
    return stream
  })
  const telling = vi.spyOn(wire, 'request').mockImplementation(function (
    this: Internals,
    method,
    body,
    ...rest
  ) {
    largestCommit = Math.max(largestCommit, body.writes?.length ?? 0)
    for (const write of body.writes ?? []) operations[write.delete ? 'deletes' : 'writes'] += 1
    return request.call(this, method, body, ...rest)
  })
  try {
    return { result: await work(), operations, largestCommit }
  } finally {
    asking.mockRestore()
    telling.mockRestore()
  }
}

function readsOf({ document, found, missing, result }: Answer): number {
  if (document || found || missing) return 1
  const counts = Object.values(result?.aggregateFields ?? {})
  return counts.reduce(
    (sum, { integerValue }) => sum + Math.max(1, Math.ceil(Number(integerValue) / 1000)),
    0,
  )
}
