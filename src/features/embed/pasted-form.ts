import { createHash } from 'node:crypto'
import { escapeHtml } from '../../shared/escape-html.ts'
import type { Product } from '../../shared/product.ts'
import { catalogueOf, rootAttributes } from '../../words/catalogue.ts'
import { joinFileOf } from './join-file.ts'
import { thanksOf } from './join-script.ts'
import { joinPaths } from './paths.ts'

/** Text between tags, where an apostrophe may stand as it is. */
const inText = (text: string) => escapeHtml(text).replaceAll('&#39;', "'")

/** What a founder pastes into a page of another site. */
export interface Pasted {
  readonly form: string
  /** Answers in place. Without it the form works all the same. */
  readonly script: string
}

export interface PastedOptions {
  /** In one language. */
  readonly product: Product
  /** What stands before its paths, such as `/de`. */
  readonly path: string
  readonly publicUrl: string
  /** The script of the language, as the build has left it. */
  readonly script: string | Buffer
  /** Whether visitors are sent a letter. */
  readonly confirm: boolean
  /** The page on which it stands, to come back to it. Its origin is one of `EMBED_ORIGINS`. */
  readonly page?: string | undefined
  /** Whether it stands in a frame, which our own page does not. */
  readonly isFramed?: boolean
}

/** The fragment of a page that shows the thanks. */
const THANKS = 'joined'

export const THANKS_STYLE = `#${THANKS}:target{display:block!important;content-visibility:visible}`

/** How a policy of that page allows it. */
export const THANKS_STYLE_HASH = `'sha256-${createHash('sha256').update(THANKS_STYLE).digest('base64')}'`

/** Our form as HTML: no style, no script, and ordinary elements that take the style of their page. */
export function pastedForm(options: PastedOptions): Pasted {
  const { product, path, publicUrl, page, isFramed, confirm } = options
  const catalogue = catalogueOf(product)
  const { words } = catalogue
  const lines = [
    `<form action="${publicUrl}${path}${joinPaths.join}" method=post ${rootAttributes(catalogue)}${isFramed ? ' target=_blank' : ''}>`,
    `<p>${inText(words.offer)}</p>`,
    `<label>${inText(words.label)} <input type=email name=email autocomplete=email required></label>`,
    `<button>${inText(words.submit)}</button>`,
    ...(page === undefined ? [] : comingBack(page, thanksOf(words, confirm))),
    '</form>',
  ]
  const { path: src, integrity } = joinFileOf(options.script)
  return {
    form: lines.join('\n'),
    script: `<script src="${publicUrl}${src}" integrity="${integrity}" crossorigin async></script>`,
  }
}

/**
 * The thanks, which the fragment shows. By the style where the page allows one, and else by
 * `hidden`, which newer browsers lift by themselves.
 */
function comingBack(page: string, thanks: string): string[] {
  const url = new URL(page)
  url.hash = THANKS
  return [
    `<input type=hidden name=back value="${escapeHtml(url.href)}">`,
    `<div id=${THANKS} hidden=until-found>${inText(thanks)}</div>`,
    `<style>${THANKS_STYLE}</style>`,
  ]
}

/**
 * What a content security policy of that page must allow: the form, which also goes where we send
 * it back to, its script, and the style of its thanks.
 *
 * @param origin of the page to which it comes back, if to one.
 */
export function policyFor(publicUrl: string, origin?: string) {
  return {
    form: `form-action ${origin ?? "'self'"} ${publicUrl}`,
    ...(origin !== undefined && { style: `style-src ${THANKS_STYLE_HASH}` }),
    script: `script-src ${publicUrl}; connect-src ${publicUrl}`,
  }
}
