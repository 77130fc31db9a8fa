import { duration } from '../shared/duration.ts'
import { say } from '../shared/say.ts'
import { visibleLength } from './style.ts'

export { counted, grouped, percent } from '../shared/counted.ts'
export { localTime } from '../shared/local-time.ts'

/** `a`, `a and b`, `a, b and c`; by hand, since every command would load the data of `Intl` for it alone. */
export function inARow(words: readonly string[]): string {
  const [last = '', ...before] = words.toReversed()
  return before.length > 0 ? `${before.toReversed().join(', ')} and ${last}` : last
}

/** A value from a file, in quotes, cut to the length of a line. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

/** Aligns rows as columns; `right` has the indexes of right-aligned columns. */
export function columns(
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string {
  const widths: number[] = []
  for (const row of rows)
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, visibleLength(cell))
    })
  return rows
    .map((row) =>
      row
        .map((cell, i) => {
          const gap = ' '.repeat((widths[i] ?? 0) - visibleLength(cell))
          return right.includes(i) ? gap + cell : cell + gap
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** How soon people did something, as a median: `half of them within 2 h`, and of one `after 2 h`. */
export const halfWithin = (people: number, seconds: number): string =>
  say(people === 1 ? 'after {time}' : 'half of them within {time}', { time: duration(seconds) })
