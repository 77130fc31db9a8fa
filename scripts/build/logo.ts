import { WORDMARK } from '../../src/shared/look.ts'

/** What page and pictures have to know of a logo to give it its place. */
export interface LogoShape {
  /** Width over height. */
  readonly ratio: number
  /** Whether it says the product's name by itself: at least twice as wide as high. */
  readonly isWordmark: boolean
  /** Whether it holds the candlestick that comes with us, onto which the splash's lands. */
  readonly isCandle: boolean
}

/** Body and wick of the candlestick in `brand/logo.svg`, as they are measured in `splash.css`. */
const CANDLE = ['viewBox="0 0 48 48"', 'd="M24 3v42"', 'd="M18 13h12v22H18z"']

/**
 * How large a logo is shown, so that all of them weigh about the same: from twice as wide as high,
 * the wider it is, the lower.
 *
 * @param size of a square one, in any unit. @returns width and height.
 */
export function logoPlace({ ratio }: LogoShape, size: number): [number, number] {
  const height = size * Math.min(1, Math.sqrt(WORDMARK / ratio))
  return [height * ratio, height]
}

/** What of a picture's root says how large it is. */
export const SIZES = /\s(viewBox|width|height)="([^"]*)"/g

/** Where a picture begins, and its width and height; no numbers where it does not say them. */
export function boxOf(svg: string): number[] {
  const [root = ''] = /<svg\b[^>]*>/.exec(svg) ?? []
  const said = Object.fromEntries([...root.matchAll(SIZES)].map(([, name, value]) => [name, value]))
  const box: string = said.viewBox ?? `0 0 ${said.width} ${said.height}`
  return box
    .trim()
    .split(/[\s,]+/)
    .map((number) => Number(number.replace(/px$/, '')))
}

/** @param svg source of the logo. @returns nothing where the picture does not say its own size. */
export function logoShape(svg: string): LogoShape | undefined {
  const [, , width = 0, height = 0] = boxOf(svg)
  const ratio = width / height
  if (!(ratio > 0 && Number.isFinite(ratio))) return undefined
  return {
    ratio,
    isWordmark: ratio >= WORDMARK,
    isCandle: CANDLE.every((part) => svg.includes(part)),
  }
}
