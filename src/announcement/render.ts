import { convert } from 'html-to-text'
import { Marked } from 'marked'
import type { Product } from '../shared/product.ts'
import { escapeHtml, frame, inlineStyles } from './frame.ts'
import { type Letter, UNSUBSCRIBE } from './letter.ts'

/** A letter ready for its recipients: only the link still differs from one to the next. */
export interface Rendered {
  html(unsubscribeLink: string): string
  text(unsubscribeLink: string): string
}

// A link that Markdown leaves alone; no reader ever sees it.
const SLOT = 'https://unsubscribe.invalid/'

/** @param logo the `src` of the logo. */
export function renderLetter(letter: Letter, product: Product, logo: string): Rendered {
  const markdown = letter.markdown.replaceAll(UNSUBSCRIBE, SLOT)
  const body = new Marked({ gfm: true, async: false }).parse(markdown) as string
  const reason = `You asked to be told when ${product.name} goes live.`
  const hasLink = letter.markdown.includes(UNSUBSCRIBE)

  const link = `<a href="${SLOT}" style="color:inherit;">Unsubscribe</a>`
  const html = frame({
    subject: letter.subject,
    preview: letter.preview,
    name: product.name,
    logo,
    body: inlineStyles(body),
    footer: hasLink ? escapeHtml(reason) : `${escapeHtml(reason)} ${link}`,
  })
  const text = [
    convert(body, plain),
    '',
    '-- ',
    reason,
    ...(hasLink ? [] : [`Unsubscribe: ${SLOT}`]),
    '',
  ].join('\n')
  return {
    html: (link) => html.replaceAll(SLOT, escapeHtml(link)),
    text: (link) => text.replaceAll(SLOT, link),
  }
}

const asWritten = { uppercase: false }
const plain = {
  wordwrap: 72,
  selectors: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: asWritten })),
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'img', format: 'skip' },
  ],
}
