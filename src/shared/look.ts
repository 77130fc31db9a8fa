import {
  AA,
  AAA,
  CLEAR,
  contrast,
  EASY,
  EDGES,
  fromOklch,
  isColour,
  isLight,
  nearest,
  readableOn,
  toOklch,
} from './colour.ts'

/** The ground of the page; all its other colours follow from that and from the accent. */
export interface Look {
  /** One for everybody, as `#rrggbb`. Black, if neither this nor the two others are given. */
  readonly ground?: string
  /** Or one for each, as visitors have set their machine. Both are needed. */
  readonly light?: string
  readonly dark?: string
  /** Fills the main button with the accent. */
  readonly button?: 'accent'
  /** Sets the page in Newsreader instead of Geist. */
  readonly type?: 'serif'
  /** Shows the product itself, beside the text or above it. */
  readonly picture?: Picture
}

/** AVIF, WebP or JPEG in `brand/`, up to 200 kB each. */
export interface Picture {
  readonly file: string
  /** A smaller one for phones. */
  readonly small?: string
  /** What is on it, for those who do not see it: a text, or one for each language, by its name. */
  readonly alt: string | Readonly<Record<string, string>>
}

/** What of a product its colours follow from. */
export interface Coloured {
  readonly accent?: string
  readonly look?: Look
  readonly logo: Logo
  readonly icon?: Logo
}

/** An SVG file in `brand/`, or one for light and one for dark grounds. */
export type Logo = string | { readonly light: string; readonly dark: string }

export type Scheme = 'light' | 'dark'

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

/** A logo from here on is a wordmark, which says the name by itself: width over height. */
export const WORDMARK = 2

/** The file of a product's logo that can be seen on such a ground. */
export function logoOn({ logo }: Pick<Coloured, 'logo'>, scheme: Scheme): string {
  return typeof logo === 'string' ? logo : logo[scheme]
}

/** The product with its icon for a logo, for places that have space for a square alone. */
export function withIcon<P extends Coloured>(product: P): P {
  return { ...product, logo: product.icon ?? product.logo }
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

/** The files of a product's logo, each once. */
export function logosOf({ logo }: Pick<Coloured, 'logo'>): string[] {
  return typeof logo === 'string' ? [logo] : [...new Set([logo.light, logo.dark])]
}

/** The files of a picture: for all, and for phones if there is another. */
export const filesOfPicture = ({ file, small }: Picture): string[] =>
  small === undefined ? [file] : [file, small]

/** The files of its logo, its icon and its picture, each once. */
export function brandFilesOf(product: Coloured): string[] {
  const { picture } = product.look ?? {}
  const pictures = picture ? filesOfPicture(picture) : []
  return [...new Set([...logosOf(product), ...logosOf(withIcon(product)), ...pictures])]
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
function isGround(ground: string): boolean {
  const ink = isLight(ground) ? '#000000' : '#ffffff'
  return [ground, raisedOn(ground)].every((one) => contrast(ink, one) >= AAA)
}

const FORM =
  "look: must be like { ground: '#fbf5ea' }, or { light: '#fbf5ea', dark: '#17120c' } to follow the visitor"

/** Checks the setting `look`, which came from outside the type system. @returns one sentence a mistake. */
export function findLookMistakes(look: unknown): string[] {
  if (Object.prototype.toString.call(look) !== '[object Object]') return [FORM]
  const { button, type, picture, ...grounds } = look as Record<string, unknown>
  const mistakes: string[] = []
  const names = Object.keys(grounds).toSorted().join(' ')
  const unknown = Object.keys(grounds).filter((name) => !['ground', 'light', 'dark'].includes(name))
  if (unknown.length > 0)
    mistakes.push(
      ...unknown.map(
        (name) =>
          `look: ${name}: is not a setting we know; ground, light, dark, button, type and picture are`,
      ),
    )
  else if (
    !['', 'ground', 'dark light'].includes(names) ||
    (names === '' && [button, type, picture].every((one) => one === undefined))
  )
    return [FORM]
  if (button !== undefined && button !== 'accent')
    mistakes.push(`look: button: is "${button}", can only be 'accent'`)
  if (type !== undefined && type !== 'serif')
    mistakes.push(`look: type: is "${type}", can only be 'serif'`)
  for (const name of ['ground', 'light', 'dark'] as const)
    if (name in grounds) mistakes.push(...findGroundMistakes(name, grounds[name]))
  return mistakes
}

function findGroundMistakes(name: 'ground' | Scheme, ground: unknown): string[] {
  const mistake = (text: string) => [`look: ${name}: ${text}`]
  if (typeof ground !== 'string' || !isColour(ground))
    return mistake(`is "${ground}", must be a colour like #fbf5ea`)
  if (name !== 'ground' && isLight(ground) !== (name === 'light'))
    return mistake(
      isLight(ground)
        ? `${ground} is light, must be a dark colour like #17120c`
        : `${ground} is dark, must be a light colour like #fbf5ea`,
    )
  if (isGround(ground)) return []
  const passing = nearest(ground, isLight(ground) ? 1 : 0, isGround)
  return mistake(
    `text on ${ground} has too little contrast, it needs ${AAA}; the nearest that passes is ${passing}`,
  )
}

/**
 * Checks an accent on the grounds of a look without mistakes: on one of two it may fail, and is darker
 * or lighter there.
 *
 * @returns one sentence, or none.
 */
export function findAccentMistakes(accent: unknown, look: Look = {}): string[] {
  if (typeof accent !== 'string' || !isColour(accent))
    return [`accent: is "${accent}", must be a colour like #2ee6a0`]
  const on = groundsOf({ look, accent }).map(({ palette }) => palette)
  if (on.some(({ ground }) => contrast(accent, ground) >= AA)) return []
  const [{ ground }] = on.toSorted((a, b) => far(a) - far(b)) as [Palette]
  return [
    `accent: ${accent} on ${inWords(ground)} has a contrast of ${said(accent, ground)}, text needs ${AA}; the nearest that passes is ${readableOn(ground, accent)}`,
  ]

  function far({ ground }: Palette): number {
    return Math.abs(toOklch(readableOn(ground, accent as string))[0] - toOklch(accent as string)[0])
  }
}

/** One sentence for each ground on which the accent is another than the one that was chosen. */
export function accentRemarks({ accent, look }: Pick<Coloured, 'accent' | 'look'>): string[] {
  if (accent === undefined) return []
  return groundsOf({ accent, ...(look && { look }) }).flatMap(
    ({ palette: { ground, accent: on } }) => {
      if (contrast(accent, ground) >= AA) return []
      const how = isLight(ground) ? 'darker' : 'lighter'
      return `accent: on ${inWords(ground)} it is ${on}, which is ${how}: ${accent} has a contrast of ${said(accent, ground)} there, text needs ${AA}`
    },
  )
}

const inWords = (ground: string) => (ground.toLowerCase() === BLACK ? 'black' : ground)

/** Rounded down, so that what fails never reads as what passes. */
const said = (one: string, other: string) => (Math.floor(contrast(one, other) * 10) / 10).toFixed(1)

/** Checks the setting `logo` or `icon`, which came from outside the type system. @returns one sentence, or none. */
export function findLogoMistakes(logo: unknown, setting: 'logo' | 'icon' = 'logo'): string[] {
  const rule = `${setting}: must be an .svg file in the folder brand`
  const isFile = (one: unknown) => typeof one === 'string' && /^brand\/[\w.-]+\.svg$/.test(one)
  if (typeof logo === 'string') return isFile(logo) ? [] : [rule]
  const { light, dark, ...others } = Object(logo) as Record<string, unknown>
  return isFile(light) && isFile(dark) && Object.keys(others).length === 0
    ? []
    : [`${rule}, or like { light: 'brand/${setting}.svg', dark: 'brand/${setting}-dark.svg' }`]
}
