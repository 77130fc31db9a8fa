import { isSeen, PARTS, readPng } from '../../scripts/chromium/png.ts'

/** What stands in a screenshot from left to right: a colour for each upright stroke of red or green. */
export async function candlesIn(screenshot: Buffer): Promise<string[]> {
  const { width, height, data } = await readPng(screenshot)
  const columns = Array.from({ length: width }, (_, x) => {
    const count = { red: 0, green: 0 }
    for (let y = 0; y < height; y += 1) {
      const at = (y * width + x) * PARTS
      const [red = 0, green = 0] = [data[at], data[at + 1]]
      if (red > 70 && red > 2 * green) count.red += 1
      if (green > 120 && green > 2 * red) count.green += 1
    }
    if (Math.max(count.red, count.green) < height / 50) return 'none'
    return count.red > count.green ? 'red' : 'green'
  })
  return columns.filter((color, x) => color !== 'none' && color !== columns[x - 1])
}

interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** How many pixels of each area one can see a change in, from one screenshot to another. */
export async function changesIn(
  before: Buffer,
  after: Buffer,
  areas: readonly Area[],
): Promise<number[]> {
  const [one, other] = await Promise.all([readPng(before), readPng(after)])
  const isChanged = (x: number, y: number) => {
    const [at, otherAt] = [one, other].map(({ width }) => (y * width + x) * PARTS)
    return [0, 1, 2].some((part) =>
      isSeen(one.data[Number(at) + part], other.data[Number(otherAt) + part]),
    )
  }
  return areas.map(({ x, y, width, height }) => {
    const [left, top] = [Math.ceil(x), Math.ceil(y)]
    const right = Math.min(left + Math.floor(width), one.width)
    const bottom = Math.min(top + Math.floor(height), one.height)
    let count = 0
    for (let row = top; row < bottom; row += 1)
      for (let column = left; column < right; column += 1) if (isChanged(column, row)) count += 1
    return count
  })
}
