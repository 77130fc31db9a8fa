import { inkOn, readableOn } from '../../shared/colour.ts'
import type { Coloured, Scheme } from '../../shared/look.ts'
import { accentOf, BLACK, groundsOf, tileOn } from '../../shared/palette.ts'
// Those of a product without a ground of its own in this scheme.
import usual from './usual-colours.json' with { type: 'json' }

/** The colours of a letter in one scheme, as `#rrggbb`. */
interface Colours {
  /** Around the sheet, and of it. */
  readonly ground: string
  readonly paper: string
  readonly line: string
  readonly text: string
  readonly quiet: string
  readonly code: string
  /** Of links and buttons, and of the words on a button. */
  readonly accent: string
  readonly ink: string
  /** Beneath a logo that was made for the other scheme. */
  readonly tile?: string
}

export type LetterColours = Readonly<Record<Scheme, Colours>>

/**
 * The colours of a product's letters. Mail programs show each letter light or dark as their reader has
 * set them, so a letter has both, of which a look gives one or two.
 */
export function letterColours(product: Coloured): LetterColours {
  const grounds = groundsOf(product).filter(({ palette }) => palette.ground !== BLACK)
  const of = (scheme: Scheme): Colours => {
    const own = grounds.find((one) => one.scheme === scheme)?.palette
    const { ground, raised, line, text, quiet } = own ?? { raised: '', ...usual[scheme] }
    const basic = own ? { ground, paper: raised, line, text, quiet, code: ground } : usual[scheme]
    const onPaper = accentOf(product, basic.paper)
    const accent = own ? readableOn(ground, onPaper) : onPaper
    return { ...basic, accent, ink: inkOn(accent) }
  }
  const [light, dark] = [of('light'), of('dark')]
  // The picture that a letter brings along is the logo for light grounds.
  const onDark = typeof product.logo === 'string' ? tileOn(product, 'dark') : light.ground
  return { light: withTile(light, tileOn(product, 'light')), dark: withTile(dark, onDark) }
}

const withTile = (colours: Colours, tile: string | undefined): Colours =>
  tile === undefined ? colours : { ...colours, tile }
