import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'
import type { OfferedLanguage } from '../../src/product/languages.ts'
import {
  accentOf,
  BLACK,
  brandFilesOf,
  groundsOf,
  logoOn,
  logosOf,
  type Palette,
} from '../../src/shared/look.ts'
import type { Product } from '../../src/shared/product.ts'
import { catalogueOf } from '../../src/words/catalogue.ts'
import { type LogoShape, logoPlace, logoShape } from './logo.ts'
import { readAbout, readSceneFile, sceneFiles, sceneFolder, sceneOf } from './scene.ts'

/** Adds to the style of the page, and of the desk, only what this product's settings need. */
export function brandStyle(language: OfferedLanguage): Plugin {
  const { product } = language
  return {
    name: 'brand-style',
    enforce: 'pre',
    async transform(style, file) {
      const isDesk = file.endsWith('/src/desk/page/styles/index.css')
      if (!isDesk && !file.endsWith('/src/web/styles/index.css')) return
      for (const file of brandFilesOf(product)) this.addWatchFile(file)
      const scene = sceneOf(product)
      if (!isDesk)
        for (const name of sceneFiles(scene)) this.addWatchFile(`${sceneFolder(scene)}/${name}`)
      const shape = await shapeOf(product)
      const more = isDesk ? deskImports(shape) : imports(language, shape)
      const own = [...settings(product, shape), ...(isDesk ? [] : wordSizes(product))]
      const all = [style, ...more, own.length > 0 ? `:root{${own.join(';')}}` : '']
      if (!isDesk && scene !== 'candlesticks') all.push(SIDES)
      return [...all, ...(isDesk ? [] : colours(product))].join('\n')
    },
  }
}

/** A scene may reach beyond the page's sides. WebKit would cut a moving one at the backdrop's top, too. */
const SIDES = '.page{overflow-x:clip}'

async function shapeOf(product: Product): Promise<LogoShape> {
  const [logo = ''] = logosOf(product)
  const shape = logoShape(await readFile(logo, 'utf8'))
  if (!shape) throw new Error(`${logo} has no size`)
  return shape
}

function imports(
  { product, path }: OfferedLanguage,
  { isCandle, isWordmark }: LogoShape,
): string[] {
  const { links, look, opensAt, question, share } = product
  const { dir, isInTypeface } = catalogueOf(product)
  const scene = sceneOf(product)
  const drawn = [`${sceneFolder(scene)}/scene`]
  // Our candlestick lands on the one in our logo; on another, the logo grows out of it.
  const landsOnLogo = scene === 'candlesticks' && isCandle
  if (scene === 'candlesticks' && !isCandle) drawn.push(`${sceneFolder(scene)}/hand-over`)
  if (readAbout(scene).logo === 'opens' && !landsOnLogo) drawn.push('../../scenes/logo-opens')
  const files = []
  if (look) files.push('look')
  if (share || question) files.push('thanks-more')
  if (isWordmark) files.push('wordmark')
  if (links || path) files.push('footer')
  if (path) files.push('other-languages')
  if (opensAt) files.push('countdown')
  if (question || share) files.push('outlined')
  if (question) files.push('question')
  if (share) files.push('share')
  if (hasOtherWords(product)) files.push('other-words')
  if (!isInTypeface) files.push('other-scripts')
  if (dir === 'rtl') files.push('right-to-left')
  return [...drawn, ...files.map((file) => `../${file}`)].map((file) => `@import "${file}.css";`)
}

function deskImports({ isWordmark }: LogoShape): string[] {
  return isWordmark ? ['@import "./wordmark.css";'] : []
}

function settings({ accent }: Product, shape: LogoShape): string[] {
  const [width, height] = logoPlace(shape, 1)
  const logos = (factor: number) => `calc(var(--logo) * ${factor.toFixed(4)})`
  const all = []
  if (accent) all.push(`--accent:${accentOf({ accent }, BLACK)}`)
  if (height !== 1) all.push(`--logo-height:${logos(height)}`)
  if (width !== 1) all.push(`--logo-width:${logos(width)}`)
  return all
}

/** The names of a palette's colours in the style sheets. */
const names = {
  ground: 'ground',
  raised: 'raised',
  line: 'line',
  edge: 'edge',
  text: 'text',
  quiet: 'quiet',
  faint: 'faint',
  strong: 'strong',
  green: 'green',
  red: 'red',
  redText: 'red-text',
  accent: 'accent',
} satisfies Record<keyof Palette, string>

/** A palette as the variables of the style sheets. */
export function variablesOf(palette: Palette): Record<string, string> {
  const all = Object.entries(names).map(([of, name]) => [`--${name}`, palette[of as keyof Palette]])
  return Object.fromEntries(all)
}

/** The page's colours on each ground, but for print, which has its own. */
function colours(product: Product): string[] {
  if (!product.look) return []
  const button = product.look.button === 'accent' ? '--accent' : '--text'
  const own = groundsOf(product).map(({ palette }) => {
    const all = Object.entries(variablesOf(palette)).map(([name, colour]) => `${name}:${colour}`)
    return `:root{${all.join(';')};--button:var(${button})}`
  })
  const [first, dark] = own
  const screen = `@media screen{${first}}`
  if (!dark) return [screen]
  return [screen, `${DARK}{${dark}}`]
}

const DARK = '@media screen and (prefers-color-scheme:dark)'

/** The logo's files in the style. Not for Vite, which would make files of its own of the founder's. */
export function logosInStyle(product: Product): string {
  const [first, second] = groundsOf(product).map(({ scheme }) => `url(/${logoOn(product, scheme)})`)
  const isTwo = second !== undefined && second !== first
  const isDrawn = readSceneFile(sceneFolder(sceneOf(product)), 'style').includes(LOGO_IMAGE)
  const drawn = (logo = '') => (isDrawn ? `:root{${LOGO_IMAGE}:${logo}}` : '')
  if (!isTwo) return drawn(first)
  return `${drawn(first)}${DARK}{:is(.brand,.splash) img{content:${second}}${drawn(second)}}`
}

/** By this a scene draws the logo once more: docs/scenes.md. */
const LOGO_IMAGE = '--logo-image'

const hasOtherWords = ({ language, words }: Product) => language !== undefined || !!words

/** What the longest words of the form need, at the least what ours do. */
function wordSizes(product: Product): string[] {
  if (!hasOtherWords(product)) return []
  const { words } = catalogueOf(product)
  const { submit, submitting, invalidEmail, databaseUnavailable, failed, needsScript } = words
  const button = Math.max(emOf(submit) + 2.25, emOf(submitting) + 3.875)
  const quiet = Math.max(emOf(submit), emOf(submitting)) * 0.9375
  const longest = Math.max(...[invalidEmail, databaseUnavailable, failed, needsScript].map(emOf))
  return [
    `--submit:${Math.max(10.5, button).toFixed(3)}rem`,
    `--quiet-submit:${Math.max(6.25, quiet).toFixed(3)}rem`,
    // On the narrowest phone a line of it holds 16 em, less what does not fit at its end.
    `--lines:${Math.max(2, Math.ceil(longest / 14.5))}`,
  ]
}

/** About how wide a text is: letters of East Asia are as wide as high, others half of that. */
function emOf(text: string): number {
  return [...text].reduce((sum, letter) => sum + (/[\u1100-\uffee]/.test(letter) ? 1 : 0.58), 0)
}
