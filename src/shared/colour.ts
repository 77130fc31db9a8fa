/**
 * Contrast of colours, given as `#rrggbb`, and a readable replacement where the contrast is too
 * low. Page, pictures and letters use the same functions, so that an accent looks the same
 * everywhere.
 */

/** WCAG 2 AA for text of any size. */
export const AA = 4.5
/** What the build itself chooses: AA, and a little for a screen's rounding. */
export const CLEAR = 4.6
/** Where the build has the choice: dark text on a middle tone is muddy at less. */
export const EASY = 6
/** AAA. */
export const AAA = 7
/** AA for the border of a field, for a picture that says something, and for the focus. */
export const EDGES = 3

/** The two text colours that are used on a coloured background. */
const INKS = ['#08090b', '#ffffff'] as const

export function isColour(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text)
}

/** WCAG 2's contrast of two colours, from 1 (the same) to 21 (black and white). */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** The text colour for a coloured background: light or dark, whichever has more contrast. */
export function inkOn(ground: string): string {
  const [dark, light] = INKS
  return isLight(ground) ? dark : light
}

/** Whether text on a colour has more contrast in black than in white. */
export function isLight(ground: string): boolean {
  const [dark, light] = INKS
  return contrast(dark, ground) >= contrast(light, ground)
}

/**
 * A readable colour for text on a background.
 *
 * @param ratio the contrast that it needs.
 * @returns the colour itself if it passes; else the nearest one of the same hue that does: lighter
 *   on a dark background, darker on a light one.
 */
export function readableOn(ground: string, colour: string, ratio = AA): string {
  return nearest(colour, isLight(ground) ? 0 : 1, (one) => contrast(one, ground) >= ratio)
}

/**
 * The nearest colour of the same hue that passes.
 *
 * @param towards the lightness of the side on which it does: 0 for black, 1 for white.
 */
export function nearest(
  colour: string,
  towards: 0 | 1,
  isPassing: (colour: string) => boolean,
): string {
  if (isPassing(colour)) return colour
  const [lightness, chroma, hue] = toOklch(colour)
  // Binary search between the colour, which fails, and black or white, which passes.
  let [fails, passes] = [lightness, towards as number]
  for (let step = 0; step < 16; step += 1) {
    const middle = (fails + passes) / 2
    if (isPassing(fromOklch(middle, chroma, hue))) passes = middle
    else fails = middle
  }
  return fromOklch(passes, chroma, hue)
}

export type Triple = readonly [number, number, number]

/** The relative luminance of a colour, from 0 to 1 (WCAG 2.2). */
export function luminance(colour: string): number {
  const [red, green, blue] = toLinear(colour)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Linear red, green and blue, from 0 to 1. */
function toLinear(colour: string): Triple {
  const amount = (from: number) => {
    const value = Number.parseInt(colour.slice(from, from + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [amount(1), amount(3), amount(5)]
}

function fromLinear(linear: Triple): string {
  const digits = linear.map((amount) => {
    const value = amount <= 0.0031308 ? amount * 12.92 : 1.055 * amount ** (1 / 2.4) - 0.055
    return Math.round(Math.min(1, Math.max(0, value)) * 255)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${digits.join('')}`
}

/** Björn Ottosson's OKLCH, in which the hue stays as the lightness changes. */
export function toOklch(colour: string): Triple {
  const [r, g, b] = toLinear(colour)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
  const greenRed = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const blueYellow = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return [lightness, Math.hypot(greenRed, blueYellow), Math.atan2(blueYellow, greenRed)]
}

/** Outside of the sRGB gamut: the highest chroma of that lightness and hue that is in it. */
export function fromOklch(lightness: number, chroma: number, hue: number): string {
  let linear = oklchToLinear(lightness, chroma, hue)
  for (let less = chroma; !isOnScreen(linear) && less > 0; less -= 0.002)
    linear = oklchToLinear(lightness, less, hue)
  return fromLinear(linear)
}

function oklchToLinear(lightness: number, chroma: number, hue: number): Triple {
  const a = chroma * Math.cos(hue)
  const b = chroma * Math.sin(hue)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

function isOnScreen(linear: Triple): boolean {
  return linear.every((amount) => amount > -0.001 && amount < 1.001)
}
