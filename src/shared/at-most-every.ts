/**
 * Looks at something once for all who ask meanwhile, and again when somebody asks so long after that, in
 * milliseconds. What came of a look is believed until then, also that it failed.
 */
export function atMostEvery<T>(everyMs: number, look: () => Promise<T>): () => Promise<T> {
  let last: Promise<T> | undefined
  const forget = () => {
    last = undefined
  }
  return () => {
    last ??= look().finally(() => setTimeout(forget, everyMs).unref())
    return last
  }
}
