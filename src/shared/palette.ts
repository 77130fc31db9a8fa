import {
  AA,
  AAA,
  CLEAR,
  contrast,
  EASY,
  EDGES,
  fromOklch,
  isLight,
  readableOn,
  toOklch,
} from './colour.ts'
import type { Coloured, Scheme } from './look.ts'

/** The colours of the page on one ground, as `#rrggbb`. */
export interface Palette {
  readonly ground: string
  /** The ground of a field. */
  readonly raised: string
  /** Hairlines. */
  readonly line: string
  /** Borders of fields. */
  readonly edge: string
  readonly text: string
  readonly quiet: string
  /** The example in a field. */
  readonly faint: string
  /** What stands out most: black or white. */
  readonly strong: string
  readonly green: string
  readonly red: string
  readonly redText: string
  readonly accent: string
  /** Light of the accent: `#rrggbbaa`, as strong as it is at its source. */
  readonly glow: string
}

/** A ground and what is on it. */
export interface Ground {
  readonly scheme: Scheme
  readonly palette: Palette
}

/** The background of the page, if nothing else is set. */
export const BLACK = '#000000'

/** The green of the splash. */
const DEFAULT_ACCENT = '#2ee6a0'

/** On black: what tokens.css says. */
const house: Palette = {
  ground: BLACK,
  raised: '#101216',
  line: '#262a31',
  edge: '#6b7380',
  text: '#f4f5f7',
  quiet: '#a9b0bb',
  faint: '#868e9a',
  strong: '#ffffff',
  green: '#2ee6a0',
  red: '#f2495c',
  redText: '#ff8a94',
  accent: DEFAULT_ACCENT,
  // What is not used is not in the script of a page.
  glow: /* @__PURE__ */ glowOn(BLACK, DEFAULT_ACCENT),
}

/**
 * The colour of links, the focus and the line of the last price.
 *
 * @param ground on which it is readable; without one, the colour is as it was chosen.
 */
export function accentOf({ accent = DEFAULT_ACCENT }: Pick<Coloured, 'accent'>, ground?: string) {
  return ground === undefined ? accent : readableOn(ground, accent)
}

/** The grounds of a product without mistakes: one, or the light and the dark one. */
export function groundsOf(
  product: Pick<Coloured, 'accent' | 'look'>,
): readonly [Ground, ...Ground[]] {
  const { ground = BLACK, light, dark } = product.look ?? {}
  const on = (one: string): Ground => ({
    scheme: isLight(one) ? 'light' : 'dark',
    palette: paletteOn(one, accentOf(product)),
  })
  return light && dark ? [on(light), on(dark)] : [on(ground)]
}

/**
 * The ground that a logo brings along where it is shown on one that it was not made for: in letters,
 * which are light and dark, and at the desk, which is black.
 *
 * @returns nothing where it was made for such a ground.
 */
export function tileOn(product: Coloured, scheme: Scheme): string | undefined {
  if (!product.look || typeof product.logo !== 'string') return undefined
  const grounds = groundsOf(product)
  if (grounds.some((one) => one.scheme === scheme)) return undefined
  return grounds[0].palette.ground
}

/**
 * All colours on a ground. In OKLCH, in which equal steps look equal and a hue stays: hairlines, text
 * and fields are in the ground's own hue, and as far from it as Meridian's are from black.
 */
export function paletteOn(ground: string, chosen: string): Palette {
  const isMade = isLight(ground) || contrast(chosen, ground) >= AA
  // One that was made for paper.
  const accent = readableOn(ground, chosen, isMade ? CLEAR : EASY)
  if (ground.toLowerCase() === BLACK) return { ...house, accent, glow: glowOn(ground, accent) }
  const [lightness, chroma, hue] = toOklch(ground)
  const isPaper = isLight(ground)
  /** In the hue of the ground; a grey one has none. */
  const tinted = (light: number, most: number) =>
    fromOklch(Math.min(1, Math.max(0, light)), Math.min(most, chroma * 1.5), hue)
  const raised = raisedOn(ground)
  /** Readable on the ground and in a field. */
  const on = (colour: string, ratio: number) =>
    readableOn(raised, readableOn(ground, colour, ratio), ratio)
  const line = tinted(lightness + (isPaper ? -0.09 : 0.12), 0.03)
  return {
    ground,
    raised,
    line,
    edge: on(line, EDGES),
    text: on(tinted(isPaper ? 0.22 : 0.96, 0.02), AAA),
    quiet: on(tinted(isPaper ? 0.46 : 0.76, 0.025), AAA),
    faint: on(tinted(isPaper ? 0.54 : 0.64, 0.025), CLEAR),
    strong: isPaper ? '#000000' : '#ffffff',
    green: readableOn(ground, house.green, EDGES),
    red: readableOn(ground, house.red, EDGES),
    redText: on(isPaper ? '#b3202f' : house.redText, CLEAR),
    accent,
    glow: glowOn(ground, accent),
  }
}

/** On paper an accent that shines through is smog: light there is as light as the paper, and coloured. */
function glowOn(ground: string, accent: string): string {
  if (!isLight(ground)) return `${accent}6b`
  const [, chroma, hue] = toOklch(accent)
  const [lightness, , warmth] = toOklch(ground)
  // A little towards the hue of the paper: pale orange would be pink.
  const apart = Math.atan2(Math.sin(warmth - hue), Math.cos(warmth - hue))
  const lit = hue + Math.min(0.4, Math.max(-0.4, apart))
  return `${fromOklch(lightness - 0.015, Math.min(chroma * 0.5, 0.06), lit)}ff`
}

/** Where one types: a little lighter than the ground. */
function raisedOn(ground: string): string {
  const [lightness, chroma, hue] = toOklch(ground)
  if (!isLight(ground)) return fromOklch(lightness + 0.045, Math.min(chroma, 0.04), hue)
  return fromOklch(lightness + (1 - lightness) * 0.6, chroma * 0.4, hue)
}

/** Whether text can be as clear as it must, on the ground and in a field. */
export function isGround(ground: string): boolean {
  const ink = isLight(ground) ? '#000000' : '#ffffff'
  return [ground, raisedOn(ground)].every((one) => contrast(ink, one) >= AAA)
}
