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
import {
  countdownTexts,
  firstPageWords,
  furtherWords,
  regularWords,
  typedWords,
  wordsOf,
} from './words.ts'

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
  /** Whether who confirmed gets a personal link. */
  readonly referrals?: boolean
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

/**
 * What is in the typeface, from all to least. Where it has not all of a field's letters, it has none of
 * that field: an address in two fonts looks broken. Arial with the metrics of our typeface is its next
 * of kin.
 *
 * The countdown has one weight, as what is typed has. It and the field are seen by more people than a pair
 * of letters that is not kerned: so first all that is never bold has one weight, and the question and the
 * links after a sign-up; then no pair is kerned. Then the date goes, which has many letters in some time
 * zone, and what comes after a sign-up.
 */
const FONTS = [
  { isTyped: true, countdown: 'all', isLean: false, further: 'full', isKerned: true },
  { isTyped: true, countdown: 'all', isLean: true, further: 'full', isKerned: true },
  { isTyped: true, countdown: 'all', isLean: true, further: 'asked', isKerned: true },
  { isTyped: true, countdown: 'all', isLean: true, further: 'light', isKerned: true },
  { isTyped: true, countdown: 'all', isLean: true, further: 'light', isKerned: false },
  { isTyped: true, countdown: 'figures', isLean: true, further: 'light', isKerned: false },
  { isTyped: true, countdown: 'figures', isLean: true, further: 'none', isKerned: false },
  { isTyped: false, countdown: 'all', isLean: true, further: 'none', isKerned: false },
  { isTyped: false, countdown: 'figures', isLean: true, further: 'none', isKerned: false },
  { isTyped: false, countdown: 'none', isLean: true, further: 'none', isKerned: false },
] as const satisfies readonly Fonts[]

/** Another alphabet fits in no case, and its dates are worth more than this. */
const OTHER_ALPHABET: Fonts = {
  isTyped: false,
  countdown: 'all',
  isLean: false,
  further: 'full',
  isKerned: true,
}

interface Fonts {
  /** Whether what a visitor types is in the typeface. */
  readonly isTyped: boolean
  /** What of the countdown is: `figures` without the date. */
  readonly countdown: 'all' | 'figures' | 'none'
  /** Whether letters that are never bold come in one weight, and not kerned. */
  readonly isLean: boolean
  /** The same of the question and the links after a sign-up; `asked` with the question in bold. */
  readonly further: 'full' | 'asked' | 'light' | 'none'
  /** Whether pairs of letters in bold are set closer. */
  readonly isKerned: boolean
}

/** What can be chosen, and the links, as well; and the question. What sends it is bold. */
const LIGHT_FURTHER = {
  asked: ':root :is(.choices,.share) *{font-weight:400}',
  light: ':root :is(.choices *,.share *,.question p){font-weight:400}',
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
  const page = (await firstThatFits()) ?? (await pageWith(OTHER_ALPHABET))
  return { ...page, language, shell: common.shell, previews }

  async function firstThatFits() {
    for (const fonts of FONTS) {
      const page = await ifItFits(fonts)
      if (page) return page
    }
    return undefined
  }

  async function ifItFits(fonts: Fonts) {
    const page = await pageWith(fonts)
    return fits(page.first) && fits(page.open) ? page : undefined
  }

  async function pageWith({ isTyped, countdown, isLean, further, isKerned }: Fonts) {
    const { typeface, prerender, shell, script, publicUrl } = common
    const { confirm, referrals = false, asked } = common
    const hasDate = !!language.product.opensAt
    const isLight = hasDate && countdown !== 'none'
    const share = isShared(language.product, publicUrl)
    const isFurther = share || asked === 'page'
    const lightFurther = further === 'asked' || further === 'light' ? LIGHT_FURTHER[further] : ''
    const isFurtherLight = isFurther && lightFurther !== ''
    const said = {
      ...{ confirm, share, asked },
      hasCountdown: false,
      hasRegular: !isLean,
      hasFurther: further === 'full',
      hasAsked: further === 'full' || further === 'asked',
    }
    const firstSaid = further === 'none' ? { ...said, asked: '' as const } : said
    const light = [
      isTyped ? typedWords(language.product) : '',
      ...(isLight ? countdownTexts(language, countdown === 'all') : []),
      ...(isLean ? regularWords(language, said) : []),
      ...(isFurtherLight ? furtherWords(language, said) : []),
    ]
    const inKin = [
      !isTyped && '.subscribe input',
      isFurther && further === 'none' && ':is(.question,.share)',
      hasDate && countdown === 'figures' && '.countdown p:first-child',
      hasDate && countdown === 'none' && '.countdown',
    ].filter(Boolean)
    const facesOf = (texts: readonly string[]) =>
      fontFaces(typeface, texts, light, isLight, isKerned)
    const [firstFaces, faces, confirmFaces] = await Promise.all([
      facesOf(firstPageWords(language, firstSaid)),
      facesOf(wordsOf(language, said)),
      facesOf(wordsOf(language, { ...said, confirm: true, referrals })),
    ])
    const kin =
      (inKin.length > 0 ? `${inKin}{font-family:Fallback,system-ui,sans-serif}` : '') +
      (isFurtherLight ? lightFurther : '')
    const css = own + kin + (confirm ? more : '')
    // Last, where they compress best.
    const [firstStyle, style] = [css + firstFaces, css + yes + faces]
    // Letters that left are answered also where nobody is asked any more.
    const links = referrals && !share ? shareOwn : ''
    const confirmStyle = own + kin + more + links + yes + confirmFaces
    const { body, openBody } = prerender.renderFirstPage(language, splashOf(language.product))
    const head = renderHead(language, publicUrl)
    const openHead = renderHead(language, publicUrl, true)
    const page = { language: catalogueOf(language.product), script, style: firstStyle }
    return {
      first: compose(shell, { ...page, head, body }),
      open: compose(shell, { ...page, head: openHead, body: openBody }),
      head,
      openHead,
      style,
      confirmStyle,
      isConfirmedShared: share || referrals,
      isAsked: asked !== '',
      styleHashes: {
        first: cspHash(firstStyle),
        confirm: cspHash(confirmStyle),
        plain: cspHash(style),
      },
    }
  }
}
