import { createHash } from 'node:crypto'
import { minifySync } from 'vite'
import type { OfferedLanguage } from '../../src/product/languages.ts'
import { languagePath } from '../../src/shared/api.ts'
import { escapeHtml } from '../../src/shared/escape-html.ts'
import { logoOn, logosOf, type Scheme, withIcon } from '../../src/shared/look.ts'
import { groundsOf, tileOn } from '../../src/shared/palette.ts'
import type { Product } from '../../src/shared/product.ts'
import { fill } from '../../src/shared/sentence-slots.ts'
import { type Catalogue, catalogueOf, rootAttributes } from '../../src/words/catalogue.ts'
import { MANIFEST } from './web-manifest.ts'

interface Page {
  readonly language: Pick<Catalogue, 'language' | 'dir'>
  readonly head: string
  readonly body: string
  /**
   * Source of the inline script, which loads the shell's script; without it the shell's tag stays.
   */
  readonly script?: string
  /** Inline style; without it the shell keeps its link to the style sheet. */
  readonly style?: string
}

/** Puts a page into the shell, `index.html`, as Vite has left it. */
export function compose(shell: string, { language, head, body, script, style }: Page): string {
  // Replaced by functions: a `$` in a founder's pitch is a dollar, not a pattern.
  return shell
    .replace(/\n\s*| (?=\/>)/g, '')
    .replace('lang="en"', () => rootAttributes(language))
    .replace('<!--head-->', () => head)
    .replace('<!--body-->', () => body + (script ? `<script id="gate">${script}</script>` : ''))
    .replace(SCRIPT, (tag, src) => (script ? FIRST_FRAME + preload(src) : tag))
    .replace(/<link rel="stylesheet"[^>]*>/, (link) =>
      style ? `<style>${style}</style><script>${LOAD_FONTS}</script>` : link,
    )
}

const SCRIPT = /<script type="module"[^>]* src="([^"]+)"><\/script>/

/**
 * Makes a browser decode the inline typeface before its first frame. By default it does so during
 * layout, and shows the text in another font for one frame.
 */
export const LOAD_FONTS = 'document.fonts.forEach(f=>f.load().catch(()=>{}))'

/**
 * A browser that knows this lays the page out once, before its first frame and not during motion.
 */
const FIRST_FRAME = '<link rel="expect" href="#gate" blocking="render">'

const preload = (src: string) => `<link rel="modulepreload" crossorigin href="${src}">`

/** Where the shell's script is. @throws when it has none. */
export function scriptIn(shell: string): string {
  const [, src] = SCRIPT.exec(shell) ?? []
  if (src === undefined) throw new Error('the page has no script')
  return src
}

/** What search engines, link previews and browsers' chrome want to know. */
export function renderHead(
  { product, path, code, others }: OfferedLanguage,
  publicUrl: string | null,
  { isOpen = false } = {},
): string {
  const { words } = catalogueOf(product)
  const { name, pitch } = product
  const title = escapeHtml(fill(isOpen ? words.openTitle : words.title, { name }))
  const description = escapeHtml(
    // A founder's own words are about what is to come.
    isOpen ? fill(words.openDescription, { name, pitch }) : product.description,
  )
  const grounds = groundsOf(product)
  const picture = isOpen ? 'social-open.png' : 'social.png'
  const tags = [
    `<title>${title}</title>`,
    `<meta name="description" content="${description}">`,
    ...grounds.map(
      ({ scheme, palette }) =>
        `<meta name="theme-color" content="${palette.ground}"${grounds.length > 1 ? mediaOf(scheme) : ''}>`,
    ),
    `<meta name="color-scheme" content="${grounds.map(({ scheme }) => scheme).join(' ')}">`,
    '<link rel="icon" href="/favicon.ico" sizes="32x32">',
    ...iconLinks(withIcon(product)),
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
    `<link rel="manifest" href="${path}/${MANIFEST}">`,
    '<meta property="og:type" content="website">',
    `<meta property="og:title" content="${title}">`,
    `<meta property="og:description" content="${description}">`,
  ]
  // These must be absolute, and a wrong one is worse than none.
  if (publicUrl !== null) {
    const url = escapeHtml(publicUrl)
    tags.push(
      `<link rel="canonical" href="${url}${path}/">`,
      ...(path ? alternates([code, ...Object.keys(others)], url) : []),
      `<meta property="og:url" content="${url}${path}/">`,
      `<meta property="og:image" content="${url}${path}/${picture}">`,
      '<meta property="og:image:width" content="1200">',
      '<meta property="og:image:height" content="630">',
      `<meta property="og:image:alt" content="${title}">`,
      '<meta name="twitter:card" content="summary_large_image">',
    )
  }
  return tags.join('')
}

/** A browser shows it on a ground of its own, light or dark. */
function iconLinks(product: Product): string[] {
  const link = (scheme: Scheme, media: string) =>
    `<link rel="icon" href="/${logoOn(product, scheme)}" type="image/svg+xml"${media}>`
  const schemes = ['light', 'dark'] as const
  if (logosOf(product).length === 2) return schemes.map((scheme) => link(scheme, mediaOf(scheme)))
  // On a tab that it was not made for, favicon.ico brings its ground along.
  const [made, other] = schemes.filter((scheme) => tileOn(product, scheme) === undefined)
  return [link('light', made && !other ? mediaOf(made) : '')]
}

const mediaOf = (scheme: Scheme) => ` media="(prefers-color-scheme: ${scheme})"`

/** The page in each language, this one among them, and the one that chooses. */
function alternates(codes: readonly string[], url: string): string[] {
  const all = [...codes.map((code) => [code, languagePath(code)]), ['x-default', '']]
  return all.map(
    ([code, path]) => `<link rel="alternate" hreflang="${code}" href="${url}${path}/">`,
  )
}

/** For pages that search engines should not list. */
export const NO_INDEX = '<meta name="robots" content="noindex">'

export function minifyScript(source: string): string {
  return minifySync('inline.js', source).code.trim()
}

/** A CSP source that allows exactly this inline text. */
export function cspHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
