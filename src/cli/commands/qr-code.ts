import { encode } from 'uqr'
import type { Out } from '../../terminal/out.ts'

const UPPER = '\u2580'
const LOWER = '\u2584'
const BOTH = '\u2588'
const QUIET = 2

/**
 * A QR code of half blocks, for a phone's camera: black on white on terminals with colours, whatever
 * theirs are. @returns nothing where it does not fit.
 */
export function qrCode(text: string, { style, width }: Pick<Out, 'style' | 'width'>): string {
  const { data, size } = encode(text, { ecc: 'L', border: QUIET })
  if (size > width) return ''
  const isDark = (row: number, column: number) => data[row]?.[column] === true
  const lines = []
  for (let row = 0; row < size; row += 2) {
    let line = ''
    for (let column = 0; column < size; column += 1) {
      const [upper, lower] = [isDark(row, column), isDark(row + 1, column)]
      line += upper ? (lower ? BOTH : UPPER) : lower ? LOWER : ' '
    }
    lines.push(style.print(line))
  }
  return `${lines.join('\n')}\n\n`
}
