import type { Logo, Look } from './look.ts'
import { findAccentMistakes, findLogoMistakes, findLookMistakes } from './look-mistakes.ts'
import type { Ask } from './reply.ts'
import { RETAIN_RULE, readRetention } from './retention.ts'
import { findSceneMistakes, type SceneName } from './scene.ts'
import type { Words } from './sentences.ts'
import type { ProductSetting } from './setting.ts'
import { isTimeZone } from './time-zone.ts'
import { readMoment, ZONE_RULE } from './zoned-time.ts'

/** What makes the page yours; filled in `product.config.ts`, the one file an operator edits. */
export interface Product {
  /** Shown on the splash, in the title and in every preview. */
  readonly name: string
  /** One sentence under the heading. */
  readonly pitch: string
  /** For search engines and link previews. */
  readonly description: string
  /**
   * An SVG file in `brand/`; also the source of every icon, if there is no `icon`. `{ light: '…',
   * dark: '…' }` names one for light grounds and one for dark ones.
   */
  readonly logo: Logo
  /** The same for icons alone, about as wide as high, where the logo is too wide to be read in one. */
  readonly icon?: Logo
  /** The example address in the empty field. */
  readonly emailPlaceholder: string
  /** Names the collection of subscribers, in both modes. Not Firebase's own `appId`. */
  readonly appId: string
  /**
   * Your colour as `#rrggbb`, for links, buttons in letters, the focus and the line of the last
   * price. It must be readable on the page's ground, black if there is no `look`. On any other
   * ground, as in letters, it is a darker or lighter shade of the same hue. The default is the green
   * of the candlesticks, which stay red and green.
   */
  readonly accent?: string
  /**
   * The ground of page, letters, icons and previews: `{ ground: '#fbf5ea' }`, or `{ light: '#fbf5ea',
   * dark: '#17120c' }` to follow the visitor. All other colours follow from it. The default is black.
   */
  readonly look?: Look
  /**
   * What covers the page at first and stands behind it: `candlesticks`, `horizon`, `mark` (your logo),
   * `none`, or the folder of a scene of your own, such as `brand/scene`: docs/scenes.md.
   */
  readonly scene?: SceneName
  /** Links at the foot of the page: text and target. */
  readonly links?: Readonly<Record<string, string>>
  /**
   * When it opens, for a countdown on the page: a time like `2027-01-12T09:00`, and the name of its
   * time zone. This only says so: `open --at` makes it true.
   */
  readonly opensAt?: { readonly at: string; readonly zone: string }
  /**
   * How long you keep the list, such as `6 months after opening`: then the desk, `status` and the
   * notices say that it is to be erased.
   */
  readonly retain?: string
  /**
   * Whether visitors are offered links to pass the page on, after the thank-you and once they have
   * confirmed. Needs `PUBLIC_URL` when the page is built.
   */
  readonly share?: boolean
  /**
   * What visitors are asked once they are on the list, such as `{ ask: 'Where do you live?', kind:
   * 'postcode' }`. They may pass it over: docs/question.md.
   */
  readonly question?: Ask
  /** Postal address of the sender, for the foot of every letter. */
  readonly postalAddress?: string
  /**
   * The language of the page and the letters, as in BCP 47, such as `de`. The default is English.
   */
  readonly language?: string
  /** Sentences of your own, by name, instead of the language's: docs/languages.md. */
  readonly words?: Partial<Words>
  /** The time zone of all times, such as `Europe/Berlin`. Without it, letters have UTC, and the operator the machine's. */
  readonly zone?: string
  /** A PNG file of 1200 by 630 pixels in `brand/`, for link previews instead of our drawing. */
  readonly socialImage?: string
  /** Further languages, by their names in BCP 47. Each then has its own path: docs/languages.md. */
  readonly languages?: Readonly<Record<string, Translation>>
}

/** Your words in a further language. Fields that are left out are as in the first language. */
export interface Translation {
  /** Needed if readers of this language cannot read the name's alphabet. */
  readonly name?: string
  readonly pitch: string
  readonly description: string
  readonly emailPlaceholder?: string
  /** As many as in the first language. */
  readonly links?: Readonly<Record<string, string>>
  readonly postalAddress?: string
  readonly socialImage?: string
  /** Of the same kind, with as many choices. */
  readonly question?: Ask
  /** Sentences of your own in this language. */
  readonly words?: Partial<Words>
}

/** A language that the page and the letters are in. */
export interface ProductLanguage {
  /** As BCP 47 has it, such as `de`. */
  readonly code: string
  /** What stands before its paths, such as `/de`; empty where the product has one language. */
  readonly path: string
  /** The product as it is in this language alone. */
  readonly product: Product
}

/** The first is the one for everybody whose own is not among them. */
export type ProductLanguages = readonly [ProductLanguage, ...ProductLanguage[]]

/** What its page asks, if anything. */
export const askOf = ({ question }: Pick<Product, 'question'>): Ask | undefined => question

/** Said where that is needed. */
export const ASKS_NOTHING = 'product.config.ts has no question: see docs/question.md.'

/** The texts that each product needs, with the most characters of each. */
const required = {
  name: 40,
  pitch: 160,
  description: 200,
  emailPlaceholder: 60,
  appId: 60,
}
/** All others. Some are checked elsewhere, where the languages are known. */
const others = [
  'accent',
  'icon',
  'language',
  'languages',
  'links',
  'logo',
  'look',
  'opensAt',
  'postalAddress',
  'retain',
  'scene',
  'socialImage',
  'words',
  'zone',
]
const LONGEST_ADDRESS = 200
const LONGEST_ALT = 200
const MOST_LINKS = 5
const LONGEST_LINK = 40

type Fields = Readonly<Record<string, unknown>>
type ProductSettings = Readonly<Record<string, ProductSetting>>

/**
 * Checks a product configuration that came from outside the type system.
 *
 * @param features what may be set of features. @returns one sentence a mistake; none means that it is a `Product`.
 */
export function findProductMistakes(product: Fields, features: ProductSettings = {}): string[] {
  const mistakes: string[] = []
  for (const [field, limit] of Object.entries(required))
    mistakes.push(...findTextMistakes(field, product[field], limit))
  const { accent, appId, icon, links, logo, look, opensAt, postalAddress, retain, scene, zone } =
    product
  const { socialImage } = product
  if (typeof appId === 'string' && !/^[A-Za-z0-9_-]+$/.test(appId))
    mistakes.push(
      'appId: may have only letters, digits, "-" and "_", since it is a part of a collection path',
    )
  mistakes.push(...(logo === undefined ? ['logo: is missing'] : findLogoMistakes(logo)))
  if (icon !== undefined) mistakes.push(...findLogoMistakes(icon, 'icon'))
  const wrongLook = look === undefined ? [] : findLookMistakes(look)
  mistakes.push(...wrongLook)
  // Without a ground, nothing can be said of what stands on it.
  if (accent !== undefined && wrongLook.length === 0)
    mistakes.push(...findAccentMistakes(accent, look as Look | undefined))
  if (Object(look).picture !== undefined) mistakes.push(...findPictureMistakes(product))
  if (scene !== undefined) mistakes.push(...findSceneMistakes(scene))
  if (links !== undefined) mistakes.push(...findLinkMistakes(links))
  if (opensAt !== undefined) mistakes.push(...findOpensAtMistakes(opensAt))
  if (postalAddress !== undefined)
    mistakes.push(...findTextMistakes('postalAddress', postalAddress, LONGEST_ADDRESS))
  if (retain !== undefined && !readRetention(retain))
    mistakes.push(`retain: is "${retain}", must be ${RETAIN_RULE}`)
  if (zone !== undefined && !(typeof zone === 'string' && isTimeZone(zone)))
    mistakes.push(`zone: is "${zone}", must be ${ZONE_RULE}`)
  if (socialImage !== undefined && !/^brand\/[\w.-]+\.png$/.test(String(socialImage)))
    mistakes.push('socialImage: must be a .png file in the folder brand')
  for (const [field, { findMistakes }] of Object.entries(features))
    if (product[field] !== undefined)
      mistakes.push(...findMistakes(product[field]).map((text) => `${field}: ${text}`))
  for (const field of Object.keys(product))
    if (!(field in required || field in features || others.includes(field)))
      mistakes.push(`${field}: is not a setting we know: docs/product.md has them all`)
  return mistakes
}

/** Checks a text of one line. @returns one sentence, or none. */
export function findTextMistakes(field: string, value: unknown, limit: number): string[] {
  if (value === undefined) return [`${field}: is missing`]
  if (typeof value !== 'string') return [`${field}: must be a text in quotes`]
  if (value.trim() === '') return [`${field}: is missing`]
  if (value !== value.trim()) return [`${field}: starts or ends with a space`]
  if (/\p{Cc}/u.test(value)) return [`${field}: must be one line of plain text`]
  if (value.length > limit) return [`${field}: has ${value.length} characters, ${limit} fit`]
  return []
}

function findPictureMistakes({ look, language = 'en', languages }: Fields): string[] {
  const { file, small, alt, ...others } = Object(Object(look).picture) as Fields
  const isFile = (one: unknown) =>
    typeof one === 'string' && /^brand\/[\w.-]+\.(avif|webp|jpe?g)$/.test(one)
  if (!isFile(file) || (small !== undefined && !isFile(small)) || Object.keys(others).length > 0)
    return [
      "look: picture: must be like { file: 'brand/bread.avif', alt: 'A loaf of bread' }, an .avif, .webp or .jpg file, and small may name another for phones",
    ]
  const codes = [String(language), ...Object.keys(Object(languages))]
  if (codes.length === 1 && typeof alt !== 'object')
    return findTextMistakes('look: picture: alt', alt, LONGEST_ALT)
  const texts = typeof alt === 'object' ? (Object(alt) as Fields) : {}
  return codes.flatMap((code) =>
    findTextMistakes(`look: picture: alt: ${code}`, texts[code], LONGEST_ALT),
  )
}

function findLinkMistakes(links: unknown): string[] {
  if (typeof links !== 'object' || links === null || Array.isArray(links))
    return ["links: must be like { Privacy: 'https://example.com/privacy' }"]
  const all = Object.entries(links)
  const mistakes = all.flatMap(([words, target]) => {
    const field = `links: "${words}"`
    if (words.trim() === '') return ['links: one has no words to be shown in']
    const wrong = findTextMistakes(field, words, LONGEST_LINK)
    if (!isTarget(target))
      wrong.push(`${field}: must lead to an https:// address or a path like /privacy`)
    return wrong
  })
  if (all.length > MOST_LINKS) mistakes.push(`links: has ${all.length}, ${MOST_LINKS} fit`)
  return mistakes
}

function findOpensAtMistakes(opensAt: unknown): string[] {
  const { at, zone, ...others } = Object(opensAt) as Record<string, unknown>
  if (typeof at !== 'string' || typeof zone !== 'string' || Object.keys(others).length > 0)
    return ["opensAt: must be like { at: '2027-01-12T09:00', zone: 'Europe/Berlin' }"]
  const read = readMoment(at, zone)
  return 'mistake' in read ? [`opensAt: ${read.wrong}: ${read.mistake}`] : []
}

/** An https URL, or a path on the page's own origin; `//host` is neither. */
function isTarget(target: unknown): boolean {
  if (typeof target !== 'string' || /[\s\p{Cc}]/u.test(target)) return false
  return /^\/(?![/\\])/.test(target) || URL.parse(target)?.protocol === 'https:'
}
