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

/** @param svg source of the logo. @returns nothing where the picture does not say its own size. */
export function logoShape(svg: string): LogoShape | undefined {
  const [root = ''] = /<svg\b[^>]*>/.exec(svg) ?? []
  const number = (pattern: RegExp) => Number(pattern.exec(root)?.[1])
  const width = number(/\sviewBox="\s*\S+\s+\S+\s+(\S+)/) || number(/\swidth="([\d.]+)(px)?"/)
  const height =
    number(/\sviewBox="\s*\S+\s+\S+\s+\S+\s+([\d.]+)/) || number(/\sheight="([\d.]+)(px)?"/)
  const ratio = width / height
  if (!(ratio > 0 && Number.isFinite(ratio))) return undefined
  return {
    ratio,
    isWordmark: ratio >= WORDMARK,
    isCandle: CANDLE.every((part) => svg.includes(part)),
  }
}
