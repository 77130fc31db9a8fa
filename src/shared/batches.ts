/** Groups items into batches, in their order. The last batch may be smaller, and none is empty. */
export async function* batches<T>(
  items: Iterable<T> | AsyncIterable<T>,
  size: number,
): AsyncIterable<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
