import { AA, AAA, contrast, isColour, isLight, nearest, readableOn, toOklch } from './colour.ts'
import type { Coloured, Look, Scheme } from './look.ts'
import { BLACK, groundsOf, isGround, type Palette } from './palette.ts'

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
