/** So long a piece of work is not mistaken for nothing. */
const ENOUGH_MS = 2
/** Eight is linear. */
const SUSPICIOUS = 16
/** Of the longer input, in characters. */
const LENGTH = 100_000

/**
 * How many times as long some work takes for an input as for one an eighth as long. The fastest of several
 * tries counts, for a busy machine only ever makes them slower.
 *
 * @param pump is repeated between `prefix` and `suffix` to make both.
 */
export function growth(
  work: (text: string) => unknown,
  prefix: string,
  pump: string,
  suffix: string,
): number {
  const input = (pumped: number) =>
    prefix + pump.repeat(Math.ceil(pumped / pump.length)).slice(0, pumped) + suffix
  const [small, large] = [input(LENGTH / 8), input(LENGTH)]
  work(small)
  const once = time(work, small, 1)
  // A slow one is known after a try; a fast one is repeated until it can be measured.
  const times = Math.max(1, Math.min(1000, Math.ceil(ENOUGH_MS / Math.max(once, 0.001))))
  const fastest = (text: string, repeats: number) =>
    Math.min(...Array.from({ length: 5 }, () => time(work, text, repeats) / repeats))
  let [long, short] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  // A moment in which one of them had to wait says nothing: what grows too fast always does.
  for (let tries = 0; tries < 5 && (tries === 0 || long / short > SUSPICIOUS); tries++) {
    long = Math.min(long, fastest(large, Math.max(1, Math.ceil(times / 8))))
    short = Math.min(short, fastest(small, times))
  }
  return long / short
}

function time(work: (text: string) => unknown, text: string, repeats: number): number {
  const started = performance.now()
  for (let i = 0; i < repeats; i++) work(text)
  return performance.now() - started
}
