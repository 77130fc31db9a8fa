import { CLEAR, contrast, readableOn } from '../../shared/colour.ts'
import { type Coloured, logoOn } from '../../shared/look.ts'
import { onGrounds, variablesOf } from '../../shared/look-style.ts'
import { type Ground, groundsOf, type Palette } from '../../shared/palette.ts'

/** How a brand looks at the desk: as on its own page. */
export interface DeskLook {
  readonly logo: string
  /** For `color-scheme`. */
  readonly schemes: string
  /** The first ground. */
  readonly ground: string
  /** What follows from its look, for the style. */
  readonly style: string
}

export function deskLookOf(product: Coloured): DeskLook {
  const grounds = groundsOf(product)
  const [{ scheme, palette }] = grounds
  return {
    logo: logoOn(product, scheme),
    schemes: grounds.map((one) => one.scheme).join(' '),
    ground: palette.ground,
    style: product.look
      ? onGrounds(product, (ground) => coloursOn(ground) + logoIn(product, ground)).join('')
      : `:root{--accent:${palette.accent}}`,
  }
}

function coloursOn({ scheme, palette }: Ground): string {
  const all = { ...variablesOf(palette), ...signsOn(palette), '--scheme': scheme }
  const said = Object.entries(all).map(([name, value]) => `${name}:${value}`)
  return `:root{${said.join(';')}}`
}

/** What is good or bad on any ground, and what stands on the accent. */
function signsOn({ ground, raised, accent }: Palette): Record<string, string> {
  const on = (colour: string) => readableOn(raised, readableOn(ground, colour, CLEAR), CLEAR)
  const isDark = contrast(accent, '#ffffff') > contrast(accent, '#000000')
  return {
    '--warn': on('#f5b83d'),
    '--bad': on('#ff6b78'),
    '--good': on('#2ee6a0'),
    '--on-accent': isDark ? '#fff' : '#000',
  }
}

/** The logo is in the document once: another one of a second ground stands in its place. */
const logoIn = (product: Coloured, { scheme }: Ground) =>
  typeof product.logo === 'string'
    ? ''
    : `:is(.door,.bar-brand) img{content:url(/${logoOn(product, scheme)})}`
