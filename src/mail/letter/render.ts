import { convert } from 'html-to-text'
import { Marked } from 'marked'
import { escapeHtml } from '../../shared/escape-html.ts'
import type { Product } from '../../shared/product.ts'
import { fill } from '../../shared/sentence-slots.ts'
import { type Catalogue, catalogueOf } from '../../words/catalogue.ts'
import { letterColours } from './colours.ts'
import { markFirstNames, putFirstName } from './first-name.ts'
import { layout } from './layout.ts'
import { CODE, type Letter, UNSUBSCRIBE } from './letter.ts'
import plain from './plain-text.json' with { type: 'json' }

/**
 * A rendered letter. Only the links, and the code and the first name where they are in it, differ
 * between recipients.
 */
export interface Rendered {
  html(links: string | LetterLinks, code?: string, firstName?: string): string
  text(links: string | LetterLinks, code?: string, firstName?: string): string
  subject(firstName?: string): string
}

/** The links that a reader's letter has; a letter without a question has only the first. */
export interface LetterLinks {
  readonly unsubscribe: string
  /** Where the button of a letter that asks leads. */
  readonly button: string
}

// A placeholder that Markdown does not change. It is replaced before a letter is sent.
const SLOT = 'https://unsubscribe.invalid/'
const BUTTON_SLOT = 'https://button.invalid/'
/** The same for a code, which may stand within a link. */
export const CODE_SLOT = 'x0code0of0a0reader0of0opening0bell0x'

/** The text of a letter as HTML. Line breaks are kept, as in a signature. */
export function letterBody({ markdown }: Letter): string {
  const text = markFirstNames(markdown).replaceAll(UNSUBSCRIBE, SLOT).replaceAll(CODE, CODE_SLOT)
  return new Marked({ gfm: true, breaks: true, async: false }).parse(text) as string
}

/** The plain-text version. */
export function plainText(body: string): string {
  return convert(body, plain)
}

/**
 * @param product in the language of the letter. @param logo the `src` of the logo.
 * @param logoWidth as it is shown.
 * @param read in that of its reader, whom the foot tells how to leave.
 */
export function renderLetter(
  letter: Letter,
  product: Product,
  logo: string,
  read: Product = product,
  logoWidth?: number,
): Rendered {
  const language = catalogueOf(product)
  const body = letterBody(letter) + askingIn(letter, product, language.words)
  const { name, postalAddress } = read
  const foot = catalogueOf(read)
  const { words } = foot
  const reason = fill(words.reason, { name })
  const subject = markFirstNames(letter.subject)
  const hasLink = letter.markdown.includes(UNSUBSCRIBE)

  const link = `<a href="${SLOT}" style="color:inherit;">${escapeHtml(words.unsubscribe)}</a>`
  const html = layout({
    language,
    foot,
    subject,
    preview: markFirstNames(letter.preview),
    name: product.name,
    logo,
    logoWidth,
    colours: letterColours(product),
    body: letter.codeDays === undefined ? body : breakable(body),
    footer: [
      hasLink ? escapeHtml(reason) : `${escapeHtml(reason)} ${link}`,
      ...(postalAddress ? [escapeHtml(postalAddress)] : []),
    ].join('<br>\n'),
  })
  const text = [
    plainText(body),
    '',
    '-- ',
    reason,
    ...(hasLink ? [] : [fill(words.unsubscribeAt, { link: SLOT })]),
    ...(postalAddress ? [postalAddress] : []),
    '',
  ].join('\n')
  return {
    // The name comes last: what stands in it is no slot.
    html: (links, code, name) =>
      putFirstName(withCode(withLinks(html, links, escapeHtml), code), name, escapeHtml),
    text: (links, code, name) => putFirstName(withCode(withLinks(text, links), code), name),
    subject: (name) => putFirstName(subject, name),
  }
}

/** What stands under the text of a letter that asks. */
function askingIn({ asks }: Letter, product: Product, words: Catalogue['words']): string {
  if (!asks) return ''
  const { textOf, button: label } = asks
  const text = textOf?.(product)
  // A bold link that is a paragraph of its own becomes a button.
  const button = `<p><strong><a href="${BUTTON_SLOT}">${escapeHtml(words[label])}</a></strong></p>\n`
  return (text ? `<p>${escapeHtml(text)}</p>\n` : '') + button
}

function withLinks(
  text: string,
  links: string | LetterLinks,
  asIn: (link: string) => string = (link) => link,
): string {
  const { unsubscribe, button } =
    typeof links === 'string' ? { unsubscribe: links, button: '' } : links
  if (button === '' && text.includes(BUTTON_SLOT))
    throw new Error('a letter that asks was made without the link of its button')
  return text.replaceAll(SLOT, asIn(unsubscribe)).replaceAll(BUTTON_SLOT, asIn(button))
}

/** Lets a code break: it is wider than a phone, and would make the whole letter as wide. */
const breakable = (body: string) =>
  `<div style="overflow-wrap:anywhere;word-break:break-word;">\n${body}</div>`

/** @param code has only characters that mean nothing in HTML and in a URL. */
function withCode(text: string, code: string | undefined): string {
  if (code === undefined && text.includes(CODE_SLOT))
    throw new Error('a letter with a code was made without its code')
  return text.replaceAll(CODE_SLOT, code ?? '')
}
