import { grouped } from './words.ts'

const ROWS = 6
const eighths = ['', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** A column chart, scaled to the highest value. @param labels under the first and last column. */
export function chart(values: readonly number[], [first, last]: readonly [string, string]): string {
  const most = Math.max(1, ...values)
  const scale = [grouped(most), '0'].map((label) => label.padStart(grouped(most).length))
  const lines: string[] = []
  for (let row = ROWS - 1; row >= 0; row -= 1) {
    const label = row === ROWS - 1 ? scale[0] : row === 0 ? scale[1] : ''
    const cells = values.map((value) =>
      cell((value / most) * ROWS * 8 - row * 8, row === 0 && value > 0),
    )
    lines.push(`${(label ?? '').padStart(grouped(most).length)} │${cells.join(' ')}`.trimEnd())
  }
  const width = values.length * 2 - 1
  const gap = ' '.repeat(Math.max(1, width - first.length - last.length))
  const indent = ' '.repeat(grouped(most).length)
  return [...lines, `${indent} └${'─'.repeat(width)}`, `${indent}  ${first}${gap}${last}`].join(
    '\n',
  )
}

/** One cell of a column. The smallest value above 0 is still visible. */
function cell(filled: number, atLeastOne: boolean): string {
  const height = Math.max(atLeastOne ? 1 : 0, Math.min(8, Math.round(filled)))
  return eighths[height] || ' '
}
