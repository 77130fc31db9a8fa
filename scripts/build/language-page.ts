import { readFile } from 'node:fs/promises'
import { brotliCompressSync } from 'node:zlib'
import { inCode } from '../../src/product/folders.mjs'
import type { OfferedLanguage } from '../../src/product/languages.ts'
import type { LanguageManifest } from '../../src/site/site.ts'
import { catalogueOf } from '../../src/words/catalogue.ts'
import { compose, cspHash, renderHead } from './document.ts'
import { fontFaces } from './font-faces.ts'
import { drawPreviews } from './pictures.ts'
import type { Prerender, whereAsked } from './prerender.ts'
import { splashOf } from './scene.ts'
import { isShared } from './share-script.ts'
import { styleOf } from './style.ts'
import type { Typeface } from './typeface.ts'
import { MANIFEST, webManifest } from './web-manifest.ts'
import { firstPageTexts, furtherPageTexts, type PageTexts } from './words.ts'

/** What the pages of all languages have in common. */
interface Common {
  readonly typeface: Typeface
  readonly prerender: Prerender
  /** `index.html`, as Vite has left it. */
  readonly shell: string
  /** The inline script. */
  readonly script: string
  readonly publicUrl: string | null
  readonly confirm: boolean
  /** As `passedOnBy` has it. */
  readonly passedOn: readonly string[] | undefined
  /** Where the question is asked, if anywhere. */
  readonly asked: ReturnType<typeof whereAsked>
}

/** The page of one language, and what its further pages are made of. */
export interface LanguagePage {
  readonly language: OfferedLanguage
  readonly shell: string
  readonly first: string
  /** The open page, without the address that its button leads to. */
  readonly open: string
  /** The pictures of its previews and its web manifest, by file name. */
  readonly previews: Readonly<Record<string, string | Uint8Array>>
  readonly head: string
  readonly openHead: string
  /** Of pages that are not the first, and of those behind a confirmation letter. */
  readonly style: string
  readonly confirmStyle: string
  readonly confirm: boolean
  /** Whether the confirmed page has links to pass on. */
  readonly isConfirmedShared: boolean
  /** Whether a question is asked after a sign-up. */
  readonly isAsked: boolean
  /** CSP sources of the one style of each kind of page. */
  readonly styleHashes: LanguageManifest['styleHashes']
}

/**
 * What the first answer holds at most: ten segments of 1460 bytes are on their way before a browser
 * has said that anything arrived. Its headers have some 970 bytes.
 */
const FIRST_WINDOW = 14_600 - 980

/** How the parts of the page are set that need not be bold and in the typeface; all others are. */
interface Fonts {
  /** In one weight, and not kerned. */
  readonly light: readonly (keyof PageTexts)[]
  /** In Arial with the metrics of our typeface, which is its next of kin. */
  readonly kin: readonly (keyof PageTexts)[]
  /** Whether pairs of letters in bold are set closer. */
  readonly isKerned?: boolean
}

/** What may be bold. */
const BOLD = ['bold', 'answer', 'asked', 'further', 'regular'] as const
/** What comes after a sign-up. */
const AFTER = ['asked', 'answer', 'further'] as const
/** What always has one weight. */
const SMALL = ['typed', 'countdown', 'dates'] as const
const LEAN = [...SMALL, 'regular'] as const

/**
 * What is in the typeface, from all to least. Where it has not all of a field's letters, it has none of
 * that field: an address in two fonts looks broken.
 *
 * The countdown has one weight, as what is typed has. It and the field are seen by more people than a pair
 * of letters that is not kerned: so first all that is never bold has one weight, and the links after a
 * sign-up; then no pair is kerned, and the question has that weight too. Then the date goes, which has many letters in some time
 * zone, and what comes after a sign-up.
 */
const FONTS: readonly Fonts[] = [
  { light: SMALL, kin: [], isKerned: true },
  { light: LEAN, kin: [], isKerned: true },
  { light: [...LEAN, 'further'], kin: [], isKerned: true },
  { light: [...LEAN, 'further'], kin: [] },
  { light: [...LEAN, 'asked', 'further'], kin: [] },
  { light: ['typed', 'countdown', 'regular', 'asked', 'further'], kin: ['dates'] },
  { light: ['typed', 'countdown', 'regular'], kin: [...AFTER, 'dates'] },
  { light: ['countdown', 'dates', 'regular'], kin: ['typed', ...AFTER] },
  { light: ['countdown', 'regular'], kin: ['typed', ...AFTER, 'dates'] },
  { light: ['regular'], kin: ['typed', ...AFTER, 'countdown'] },
]

/** Another alphabet fits in no case, and its dates are worth more than this. */
const OTHER_ALPHABET: Fonts = { light: ['countdown', 'dates'], kin: ['typed'], isKerned: true }

/** Where they stand; the date is a part of the countdown. */
const KIN: Partial<Record<keyof PageTexts, string>> = {
  typed: '.subscribe input',
  asked: '.more',
  answer: '.more',
  further: '.more',
  dates: '.countdown p:first-child',
  countdown: '.countdown',
}

/** The style of fonts in which a page has these texts. */
function styleOfFonts(texts: PageTexts, { light, kin }: Fonts): string {
  const selectors = new Set(kin.flatMap((part) => (texts[part].length > 0 && KIN[part]) || []))
  const inKin =
    selectors.size > 0 ? `${[...selectors]}{font-family:Fallback,system-ui,sans-serif}` : ''
  if (!light.includes('further') || [...texts.asked, ...texts.further].length === 0) return inKin
  // What can be chosen, and the links, as well; and the question. What sends it is bold.
  return light.includes('asked')
    ? `${inKin}:root :is(.choices *,.share *,.question p){font-weight:400}`
    : `${inKin}:root :is(.choices,.share) *{font-weight:400}`
}

const fits = (html: string) => brotliCompressSync(html).length <= FIRST_WINDOW

async function styleIn(file: string): Promise<string> {
  const css = await readFile(inCode(`src/web/${file}`), 'utf8')
  return css
    .replace(/\/\*.*?\*\/|\s+/gs, ' ')
    .replace(/ +/g, ' ')
    .trim()
}

/** Makes the page of one language. It writes nothing. */
export async function languagePage(
  language: OfferedLanguage,
  common: Common,
): Promise<LanguagePage> {
  const [own, drawn, yes, more, ...shareOwn] = await Promise.all([
    styleOf(language),
    drawPreviews(language.product, common.typeface),
    styleIn('yes.css'),
    styleIn('confirm.css'),
    styleIn('outlined.css'),
    styleIn('share.css'),
  ])
  const previews = { ...drawn, [MANIFEST]: webManifest(language) }
  return { ...(await firstThatFits()), language, shell: common.shell, previews }

  async function firstThatFits() {
    for (const fonts of FONTS) {
      const page = await pageWith(fonts)
      if (fits(page.first) && fits(page.open)) return page
    }
    return pageWith(OTHER_ALPHABET)
  }

  async function pageWith(fonts: Fonts) {
    const { typeface, prerender, shell, script, publicUrl } = common
    const { confirm, passedOn, asked } = common
    const share = isShared(language.product, publicUrl)
    const shown = { confirm, share, asked }
    const confirmed = { ...shown, confirm: true, passedOn }
    const texts = firstPageTexts(language, shown)
    const { light, kin, isKerned = false } = fonts
    const bold = BOLD.filter((part) => !light.includes(part) && !kin.includes(part))
    const isTabular = light.includes('countdown') && texts.countdown.length > 0
    const inLight = light.flatMap((part) => texts[part])
    const facesOf = (texts: PageTexts, further: readonly string[] = []) => {
      const inBold = [...bold.flatMap((part) => texts[part]), ...further]
      return fontFaces(typeface, inBold, inLight, { isTabular, isKerned })
    }
    const [firstFaces, faces, confirmFaces] = await Promise.all([
      facesOf(texts),
      facesOf(texts, furtherPageTexts(language, shown)),
      facesOf(firstPageTexts(language, confirmed), furtherPageTexts(language, confirmed)),
    ])
    const styled = styleOfFonts(texts, fonts)
    const css = own + styled + (confirm ? more : '')
    // Last, where they compress best.
    const [firstStyle, style] = [css + firstFaces, css + yes + faces]
    // Letters that left are answered also where nobody is asked any more.
    const links = passedOn && !share ? shareOwn : ''
    const confirmStyle = own + styled + more + links + yes + confirmFaces
    const { body, openBody } = prerender.renderFirstPage(language, splashOf(language.product))
    const head = renderHead(language, publicUrl)
    const openHead = renderHead(language, publicUrl, { isOpen: true })
    const page = { language: catalogueOf(language.product), script, style: firstStyle }
    return {
      first: compose(shell, { ...page, head, body }),
      open: compose(shell, { ...page, head: openHead, body: openBody }),
      head,
      openHead,
      style,
      confirmStyle,
      confirm,
      isConfirmedShared: share || passedOn !== undefined,
      isAsked: asked !== '',
      styleHashes: {
        first: cspHash(firstStyle),
        confirm: cspHash(confirmStyle),
        plain: cspHash(style),
      },
    }
  }
}
