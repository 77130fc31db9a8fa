import { boxOf, logoShape, SIZES } from './logo.ts'
import { openSvg } from './resvg.ts'

/** How finely the edges of a drawing are looked for, in pixels of its width. */
const WIDTH = 512
/** A margin below this share is none. */
const LEAST = 0.01
/** What has less alpha is no edge. */
const SEEN = 16

/** Where something is drawn, in shares of a picture's width and height. */
interface Drawn {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/**
 * The sources of a logo without the empty margins around the drawing, so that it stands where it is put
 * and is as large as others. All are cut alike: one is shown in the place of the other. Ours has its
 * candlestick where the splash's lands, and stays.
 */
export async function trimLogos(svgs: readonly string[]): Promise<string[]> {
  if (svgs.some((svg) => logoShape(svg)?.isCandle)) return [...svgs]
  const all = await Promise.all(svgs.map(lookAt))
  const left = Math.min(...all.map((one) => one.left))
  const top = Math.min(...all.map((one) => one.top))
  const right = Math.max(...all.map((one) => one.right))
  const bottom = Math.max(...all.map((one) => one.bottom))
  if (Math.max(left, top, 1 - right, 1 - bottom) < LEAST) return [...svgs]
  return svgs.map((svg) =>
    svg.replace(/<svg\b[^>]*>/, (root) => {
      const [x = 0, y = 0, width = 0, height = 0] = boxOf(root)
      const box = [
        x + left * width,
        y + top * height,
        (right - left) * width,
        (bottom - top) * height,
      ]
      const viewBox = box.map((one) => Number(one.toFixed(3))).join(' ')
      return root.replace(SIZES, '').replace('<svg', `<svg viewBox="${viewBox}"`)
    }),
  )
}

async function lookAt(svg: string): Promise<Drawn> {
  const drawn = (await openSvg(svg, { fitTo: { mode: 'width', value: WIDTH } })).render()
  const { width, height, pixels } = drawn
  let [left, top, right, bottom] = [width, height, 0, 0]
  for (let at = 0; at < width * height; at += 1) {
    if ((pixels[at * 4 + 3] ?? 0) < SEEN) continue
    const [x, y] = [at % width, Math.floor(at / width)]
    left = Math.min(left, x)
    right = Math.max(right, x + 1)
    top = Math.min(top, y)
    bottom = y + 1
  }
  // In a box of other proportions than the drawing's own, shares of the one are none of the other.
  const ratio = logoShape(svg)?.ratio ?? 0
  if (bottom === 0 || Math.abs(width / height / ratio - 1) > 0.02)
    return { left: 0, top: 0, right: 1, bottom: 1 }
  return {
    left: left / width,
    top: top / height,
    right: right / width,
    bottom: bottom / height,
  }
}
