import { readFile } from 'node:fs/promises'
import { inCode } from '../../src/product/folders.mjs'
import type { OfferedLanguage } from '../../src/product/languages.ts'
import type { LanguageManifest } from '../../src/site/site.ts'
import { catalogueOf } from '../../src/words/catalogue.ts'
import { compose, cspHash, renderHead } from './document.ts'
import { fontFaces } from './font-faces.ts'
import { drawPreviews } from './pictures.ts'
import type { Prerender } from './prerender.ts'
import { styleOf } from './style.ts'
import type { Typeface } from './typeface.ts'
import { MANIFEST, webManifest } from './web-manifest.ts'
import { firstPageWords, wordsOf } from './words.ts'

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
  /** CSP sources of the one style of each kind of page. */
  readonly styleHashes: LanguageManifest['styleHashes']
}

/** Makes the page of one language. It writes nothing. */
export async function languagePage(
  language: OfferedLanguage,
  { typeface, prerender, shell, script, publicUrl, confirm }: Common,
): Promise<LanguagePage> {
  const [own, previews, firstFaces, faces, confirmFaces, confirmOwn] = await Promise.all([
    styleOf(language),
    drawPreviews(language.product, typeface),
    fontFaces(typeface, firstPageWords(language, { confirm })),
    fontFaces(typeface, wordsOf(language, { confirm })),
    fontFaces(typeface, wordsOf(language, { confirm: true })),
    readFile(inCode('src/web/confirm.css'), 'utf8'),
  ])
  const more = confirmOwn.replace(/\s+/g, ' ').trim()
  const css = confirm ? own + more : own
  // Last, where they compress best.
  const [firstStyle, style] = [css + firstFaces, css + faces]
  // Letters that left are answered also where nobody is asked any more.
  const confirmStyle = own + more + confirmFaces
  const { body, openBody } = prerender.renderFirstPage(language)
  const head = renderHead(language, publicUrl)
  const openHead = renderHead(language, publicUrl, true)
  const page = { language: catalogueOf(language.product), script, style: firstStyle }
  return {
    language,
    shell,
    first: compose(shell, { ...page, head, body }),
    open: compose(shell, { ...page, head: openHead, body: openBody }),
    previews: { ...previews, [MANIFEST]: webManifest(language) },
    head,
    openHead,
    style,
    confirmStyle,
    styleHashes: {
      first: cspHash(firstStyle),
      confirm: cspHash(confirmStyle),
      plain: cspHash(style),
    },
  }
}
