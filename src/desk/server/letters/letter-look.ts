import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { addressIds } from '../../../keys/address-id.ts'
import { type Letter, SAMPLE_CODE } from '../../../mail/letter/letter.ts'
import { drawLogo } from '../../../mail/letter/logo.ts'
import { messages, type Translated } from '../../../mail/letter/message.ts'
import { mimeOf } from '../../../mail/mime.ts'
import { logoOn } from '../../../shared/look.ts'
import type { Product, ProductLanguages } from '../../../shared/product.ts'
import type { LetterLook } from '../../contract/letters.ts'

/**
 * An address of nobody: `.invalid` never receives mail (RFC 2606). Its unsubscribe link is nobody's
 * either.
 */
const READER = 'reader@letters.invalid'
/** The address of unsubscribe links until the settings name one. */
const NOWHERE = 'https://unsubscribe.invalid'

export interface LookOptions {
  readonly letter: Letter
  readonly translations: readonly Translated[]
  readonly name: string
  readonly product: Product
  readonly languages: ProductLanguages
  /** The reader's; left out, the first one. */
  readonly language?: string | undefined
  readonly linkKey: Buffer
  /** `undefined` where the settings do not name it. */
  readonly unsubscribeUrl: string | undefined
  readonly root: string
}

/** The message that the engine would send to a reader, in its bytes. */
export async function letterMime(options: LookOptions): Promise<Buffer> {
  const { letter, translations, name, product, languages, language } = options
  const { linkKey, unsubscribeUrl = NOWHERE, root } = options
  const logo = await drawLogo(readFileSync(join(root, logoOn(product, 'light'))))
  const of = { letter, translations, product, languages }
  const make = messages({ ...of, logo, linkKey, unsubscribeUrl, announcement: name })
  return mimeOf(
    make({
      email: READER,
      addressId: addressIds(linkKey).of(READER),
      code: SAMPLE_CODE,
      language: language ?? languages[0].code,
    }),
  )
}

/** The content of a message, read from its bytes. */
export async function lookOf(mime: Buffer): Promise<LetterLook> {
  const { html = '', text = '' } = await PostalMime.parse(mime)
  return {
    text,
    size: mime.length,
    htmlSize: Buffer.byteLength(html),
    pictures: (html.match(/<img\s[^>]*src\s*=\s*["']?https?:/gi) ?? []).length,
  }
}

export type Scheme = 'light' | 'dark'

/** The HTML of a message as a mail program shows it that prefers light or dark. */
export async function shownHtml(mime: Buffer, scheme: Scheme): Promise<string> {
  const { html = '', attachments } = await PostalMime.parse(mime)
  const withLogo = attachments.reduce((text, { contentId, mimeType, content }) => {
    const id = contentId?.replace(/^<|>$/g, '')
    if (!id || typeof content === 'string') return text
    const picture = Buffer.from(new Uint8Array(content)).toString('base64')
    return text.replaceAll(`cid:${id}`, `data:${mimeType};base64,${picture}`)
  }, html)
  const own = `<base target="_blank"><style>:root{color-scheme:${scheme} !important}</style>`
  return (
    withLogo
      // No policy stops a `link` from connecting ahead to its address, and mail programs ignore it.
      .replace(/<(?=link)/gi, '<x-')
      .replace(/<style[^>]*>[\s\S]*?<\/style>/gi, (style) => asPreferred(style, scheme))
      .replace('</head>', `${own}</head>`)
  )
}

/** A style sheet whose media queries for the reader's scheme are fixed to one scheme. */
function asPreferred(style: string, scheme: Scheme): string {
  return style.replace(/\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi, (_query, asked) =>
    asked.toLowerCase() === scheme ? '(min-width: 0px)' : '(max-width: 0px)',
  )
}
