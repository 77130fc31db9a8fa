import type { Coloured } from './look.ts'
import { type Ground, groundsOf, type Palette } from './palette.ts'

/** Where a second ground is for those whose machine is dark. */
export const DARK = '@media screen and (prefers-color-scheme:dark)'

/** A palette as the variables of the style sheets: `redText` is `--red-text` there. */
export function variablesOf(palette: Palette): Record<string, string> {
  const named = (colour: string) =>
    `--${colour.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`
  return Object.fromEntries(Object.entries(palette).map(([name, value]) => [named(name), value]))
}

/** Rules for each ground of a product but for print, which has its own. @param rules of one ground. */
export function onGrounds(product: Coloured, rules: (ground: Ground) => string): string[] {
  const [first = '', dark] = groundsOf(product).map(rules)
  return [`@media screen{${first}}`, ...(dark === undefined ? [] : [`${DARK}{${dark}}`])]
}
