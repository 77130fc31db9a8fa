import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'
import { rules } from '../../src/features/all-rules.ts'
import type { OfferedLanguage } from '../../src/product/languages.ts'
import { brandFilesOf, logoOn, logosOf } from '../../src/shared/look.ts'
import { DARK, onGrounds, variablesOf } from '../../src/shared/look-style.ts'
import { accentOf, BLACK, groundsOf } from '../../src/shared/palette.ts'
import type { Product } from '../../src/shared/product.ts'
import { catalogueOf } from '../../src/words/catalogue.ts'
import { type LogoShape, logoPlace, logoShape } from './logo.ts'
import { pictureHead } from './picture-head.ts'
import { readAbout, readSceneFile, sceneFiles, sceneFolder, sceneOf } from './scene.ts'
import { trimLogos } from './trim-logo.ts'

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
      const shape = await shapeOf(product, { isDesk })
      const more = isDesk ? deskImports(shape) : imports(language, shape)
      const own = [
        ...settings(product, shape),
        ...(isDesk
          ? []
          : [...sceneSettings(product, shape), ...pictureRatio(product), ...wordSizes(product)]),
      ]
      const all = [style, ...more, own.length > 0 ? `:root{${own.join(';')}}` : '']
      if (!isDesk) all.push(lowest(product))
      if (!isDesk && linesOf(product.name, 13.4) > 1) all.push('.brand{text-wrap:balance}')
      if (!isDesk && scene !== 'candlesticks') all.push(SIDES)
      if (!isDesk && scene === 'mark') all.push(CLOSER)
      return [...all, ...(isDesk ? [] : colours(product))].join('\n')
    },
  }
}

/**
 * A scene may reach beyond the page's sides and its foot. WebKit would cut a moving one at the backdrop's
 * top, too.
 */
const SIDES = '#root{overflow:clip}'

/** On a phone, a logo is worth more than the air around what is said. */
const CLOSER = '@media(max-width:34em){main{--spare:calc(100svh - var(--needs) - 3rem)}}'

/** Whether it is the operator's page, and not the visitors'. */
interface Place {
  readonly isDesk: boolean
}

async function shapeOf(product: Product, { isDesk }: Place): Promise<LogoShape> {
  const [[file, trimmed] = ['', '']] = await trimmedLogos(product)
  // The desk has it as it is.
  const svg = isDesk ? await readFile(file, 'utf8') : trimmed
  const shape = logoShape(svg)
  if (!shape) throw new Error(`${file} has no size`)
  return shape
}

/** The files of a product's logo with their sources as the page has them. */
export async function trimmedLogos(product: Product): Promise<[file: string, svg: string][]> {
  const files = logosOf(product)
  const svgs = await trimLogos(await Promise.all(files.map((file) => readFile(file, 'utf8'))))
  return files.map((file, at) => [file, svgs[at] ?? ''])
}

function imports(
  { product, path }: OfferedLanguage,
  { isCandle, isWordmark }: LogoShape,
): string[] {
  const { links, look, opensAt } = product
  const { dir, isInTypeface } = catalogueOf(product)
  const scene = sceneOf(product)
  const drawn = [`${sceneFolder(scene)}/scene`]
  // Our candlestick lands on the one in our logo; on another, the logo grows out of it.
  const landsOnLogo = scene === 'candlesticks' && isCandle
  if (scene === 'candlesticks' && !isCandle) drawn.push(`${sceneFolder(scene)}/hand-over`)
  if (landsOnLogo && look) drawn.push(`${sceneFolder(scene)}/logo-green`)
  if (readAbout(scene).logo === 'opens' && !landsOnLogo) drawn.push('../../scenes/logo-opens')
  const ofFeatures = rules.flatMap(({ styles }) => styles?.(product) ?? [])
  const files = []
  if (look) files.push('look')
  if (ofFeatures.length > 0) files.push('thanks-more')
  if (look?.picture) files.push('picture')
  if (isWordmark) files.push('wordmark')
  if (links || path) files.push('footer')
  if (path) files.push('other-languages')
  if (opensAt) files.push('countdown')
  if (ofFeatures.length > 0) files.push('outlined', ...ofFeatures.map((sheet) => `../${sheet}`))
  if (hasOtherWords(product)) files.push('other-words')
  if (!isInTypeface) files.push('other-scripts')
  if (dir === 'rtl') files.push('right-to-left')
  if (look?.type) files.push('serif', ...(isInTypeface ? [] : ['serif-other-scripts']))
  return [...drawn, ...files.map((file) => `../${file}`)].map((file) => `@import "${file}.css";`)
}

function deskImports({ isWordmark }: LogoShape): string[] {
  return isWordmark ? ['@import "./wordmark.css";'] : []
}

function settings({ accent, look }: Product, shape: LogoShape): string[] {
  const [width, height] = logoPlace(shape, 1)
  const logos = (factor: number) => `calc(var(--logo) * ${factor.toFixed(4)})`
  const all = []
  // A look's own colours say it.
  if (accent && !look) all.push(`--accent:${accentOf({ accent }, BLACK)}`)
  if (height !== 1) all.push(`--logo-height:${logos(height)}`)
  if (width !== 1) all.push(`--logo-width:${logos(width)}`)
  return all
}

/** What the scene asks for, and how high the page is. */
function sceneSettings(product: Product, { ratio }: LogoShape): string[] {
  const drawn = readSceneFile(sceneFolder(sceneOf(product)), 'style')
  const all = []
  if (!product.look && drawn.includes('--glow'))
    all.push(`--glow:${groundsOf(product)[0].palette.glow}`)
  if (ratio !== 1 && drawn.includes('--logo-ratio')) all.push(`--logo-ratio:${ratio.toFixed(4)}`)
  return all
}

/** How wide the picture of a phone is, in its heights. */
function pictureRatio({ look: { picture } = {} }: Product): string[] {
  const head = picture && pictureHead(readFileSync(picture.small ?? picture.file))
  return head ? [`--picture-ratio:${(head.width / head.height).toFixed(4)}`] : []
}

/** Header, heading of one line, pitch of two, form and the least scene, in rem. */
const PLAIN_NEEDS = 34

/** What a scene needs more than the least: there is none, or it has air around it. */
const SCENE_NEEDS: Readonly<Record<string, number>> = { none: -6, mark: 2 }

/** The same of a product with more on its page, where it is wide: there, long texts take few lines. */
function wideNeeds(product: Product): number {
  const { links, languages, opensAt } = product
  const scene = SCENE_NEEDS[sceneOf(product)] ?? 0
  const foot = links || languages ? 4.5 : 0
  const words = hasOtherWords(product) ? 2 : 0
  const letters = catalogueOf(product).isInTypeface ? 0 : 2
  return PLAIN_NEEDS + scene + foot + words + letters + (opensAt ? 1.5 : 0)
}

/** The same on a phone of 320 px. */
function phoneNeeds(product: Product): number {
  const { words, isInTypeface } = catalogueOf(product)
  const heading = (linesOf(words.heading, 7.9) - 1) * 2.625
  // Lines of other scripts are higher; and without spaces one ends with a phrase, in Firefox long before it is full.
  const [ems, rem] = isInTypeface ? [17.5, 1.65] : [15, 1.95]
  const pitch = Math.max(0, linesOf(product.pitch, ems) - 2) * rem
  const place = hasOtherWords(product) ? placeOf(product) - 5 : 0
  return wideNeeds(product) + heading + pitch + place
}

/** @param ems about how many are in a line of 272 px, as on a phone of 320. */
const linesOf = (text: string, ems: number) => Math.ceil(emOf(text) / ems)

/** What the page needs before a scene and its foot are in the window. */
function lowest(product: Product): string {
  const [phone, wide] = [phoneNeeds(product), wideNeeds(product)]
  if (phone === PLAIN_NEEDS && wide === PLAIN_NEEDS) return ''
  const needs = (rem: number) => `:root{--needs:${+rem.toFixed(1)}rem}`
  return needs(phone) + (wide === phone ? '' : `@media(min-width:34em){${needs(wide)}}`)
}

/** The page's colours on each ground, but for print, which has its own. */
function colours(product: Product): string[] {
  if (!product.look) return []
  const button = product.look.button === 'accent' ? '--accent' : '--text'
  const drawn = readSceneFile(sceneFolder(sceneOf(product)), 'style')
  return onGrounds(product, ({ palette }) => {
    const all = Object.entries(variablesOf(palette))
      .filter(([name]) => name !== '--glow' || drawn.includes(name))
      .map(([name, colour]) => `${name}:${colour}`)
    return `:root{${all.join(';')};--button:var(${button})}`
  })
}

/** The logo's files in the style. Not for Vite, which would make files of its own of the founder's. */
export function logosInStyle(product: Product): string {
  const [first, second] = groundsOf(product).map(({ scheme }) => `url(/${logoOn(product, scheme)})`)
  const isTwo = second !== undefined && second !== first
  const isDrawn = readSceneFile(sceneFolder(sceneOf(product)), 'style').includes(LOGO_IMAGE)
  const drawn = (logo = '') => (isDrawn ? `:root{${LOGO_IMAGE}:${logo}}` : '')
  if (!isTwo) return drawn(first)
  return `${drawn(first)}${DARK}{:is(.brand,.splash) img{content:${second}}${drawn(second)}}`
}

/**
 * The chart of candlesticks in the green and the red of the page's ground, as splash and answer are. Its
 * file has those on black.
 */
export function chartInColours(style: string, product: Product): string {
  const [chart] = /url\("data:image\/svg\+xml,[^"]*"\)/.exec(style) ?? []
  if (!chart || !product.look || sceneOf(product) !== 'candlesticks') return style
  const [{ palette: black }] = groundsOf({})
  const [first = '', second] = groundsOf(product).map(({ palette }) =>
    chart
      .replaceAll(inUrl(black.green), inUrl(palette.green))
      .replaceAll(inUrl(black.red), inUrl(palette.red)),
  )
  if (second === undefined) return style.replace(chart, first)
  const drawn = (chart: string) => `:root{--chart:${chart}}`
  return `${style.replace(chart, 'var(--chart)')}${drawn(first)}${DARK}{${drawn(second)}}`
}

const inUrl = (colour: string) => colour.replace('#', '%23')

/** By this a scene draws the logo once more: docs/scenes.md. */
const LOGO_IMAGE = '--logo-image'

const hasOtherWords = ({ language, words }: Product) => language !== undefined || !!words

/** What the longest words of the form need, at the least what ours do. */
function wordSizes(product: Product): string[] {
  if (!hasOtherWords(product)) return []
  const { words } = catalogueOf(product)
  const { submit, submitting } = words
  const button = Math.max(emOf(submit) + 2.25, emOf(submitting) + 3.875)
  const quiet = Math.max(emOf(submit), emOf(submitting)) * 0.9375
  return [
    `--submit:${Math.max(10.5, button).toFixed(3)}rem`,
    `--quiet-submit:${Math.max(6.25, quiet).toFixed(3)}rem`,
    `--place:${placeOf(product).toFixed(3)}rem`,
  ]
}

/** What the form's longest message needs, in rem. Without script, nothing moves for one. */
function placeOf(product: Product): number {
  const { invalidEmail, databaseUnavailable, failed } = catalogueOf(product).words
  const longest = Math.max(...[invalidEmail, databaseUnavailable, failed].map(emOf))
  // On the narrowest phone a line of it holds 16 em, less what does not fit at its end.
  return Math.max(2, Math.ceil(longest / 14.5)) * 1.40625 + 0.1875
}

/** About how wide a text is: letters of East Asia are as wide as high, others half of that. */
function emOf(text: string): number {
  return [...text].reduce((sum, letter) => sum + (/[\u1100-\uffee]/.test(letter) ? 1 : 0.58), 0)
}
