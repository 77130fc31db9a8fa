import { createHash } from 'node:crypto'
import { keyedHash } from '../keys/address-id.ts'
import { confirmationKeys } from '../keys/confirmation-keys.ts'
import { type LetterColours, letterColours } from '../mail/letter/colours.ts'
import { layout } from '../mail/letter/layout.ts'
import type { Message } from '../mail/mailer.ts'
import { senderDomain } from '../mail/sender.ts'
import { endsAt } from '../people/confirmation-lifetime.ts'
import type { MarksOf } from '../people/letter-rule.ts'
import type { Pending } from '../people/pending.ts'
import { urlIn } from '../shared/api.ts'
import { escapeHtml } from '../shared/escape-html.ts'
import { languageFor } from '../shared/language-code.ts'
import type { Product, ProductLanguage, ProductLanguages } from '../shared/product.ts'
import { catalogueOf } from '../words/catalogue.ts'
import { letterWords } from './letter-words.ts'

interface ConfirmationLetterOptions {
  readonly product: Product
  /** Those that the product is in; left out, it is in one. */
  readonly languages?: ProductLanguages | undefined
  /** An address, or a name with an address in angle brackets. */
  readonly from: string
  /** Where the page behind the link is, without a slash at the end. */
  readonly confirmUrl: string
  /** The secret `LINK_KEY`. */
  readonly linkKey: Buffer
}

export type ConfirmationLetter = ReturnType<typeof confirmationLetter>

/**
 * Makes a confirmation letter, in the language of the page on which it was asked for: the same bytes
 * for the same letter, every time.
 */
export function confirmationLetter(options: ConfirmationLetterOptions) {
  const { product, languages = [{ code: '', path: '', product }] } = options
  // Computing them takes as long as the rest of a letter.
  const colours = letterColours(product)
  const [first, ...others] = languages
  const made = (one: ProductLanguage) => ({
    code: one.code,
    letter: letterIn(one, options, colours),
  })
  const letters = [made(first), ...others.map(made)] as const
  return (addressId: string, pending: Pending) =>
    languageFor(letters, pending.shown.language).letter(addressId, pending)
}

function letterIn(
  { product, path }: ProductLanguage,
  options: ConfirmationLetterOptions,
  colours: LetterColours,
) {
  const { from, linkKey } = options
  const confirmUrl = urlIn(options.confirmUrl, path)
  const keys = confirmationKeys(linkKey)
  const messageName = keyedHash(linkKey, 'confirmation-message-id')
  const domain = senderDomain(from)
  const site = new URL(confirmUrl).host
  const language = catalogueOf(product)
  const wordsOf = letterWords(product)

  return (addressId: string, pending: Pending): Message & { readonly digest: string } => {
    const { email, askedAt, letters } = pending
    const code = keys.code(addressId, askedAt)
    const { postalAddress } = product
    // A form on another site was shown on a page of that one.
    const left = URL.parse(pending.shown.page)?.host || site
    const { isForNews } = pending.shown
    const words = wordsOf({
      site: left,
      askedAt,
      isForNews,
      endsAt: endsAt(pending),
      code,
    })
    const link = `${confirmUrl}/${keys.sign(addressId, askedAt)}`
    const foot = [words.sender, ...(postalAddress ? [postalAddress] : [])]
    const { name } = product
    const html = layout({
      ...{ language, subject: words.subject, preview: '', name, colours },
      body: asHtml({ ...words, name }, link),
      footer: foot.map(escapeHtml).join('<br>'),
    })
    const text = asText({ ...words, name }, link, foot)
    const named = `${addressId} ${askedAt.toISOString()} ${letters}`
    return {
      from,
      replyTo: undefined,
      to: email,
      subject: words.subject,
      html,
      text,
      pictures: [],
      messageId: `<${messageName(named)}@${domain}>`,
      // RFC 3834: suppresses automatic replies.
      headers: { 'Auto-Submitted': 'auto-generated' },
      digest: createHash('sha256').update(`${words.subject}\n${text}\n${html}`).digest('base64url'),
    }
  }
}

/** The marks of these letters for a receipt. */
export function marksOf(letter: ConfirmationLetter): MarksOf {
  return (addressId, pending) => {
    const { messageId, digest } = letter(addressId, pending)
    return { messageId, letterDigest: digest }
  }
}

/** With the product's name: a letter that says nowhere whose it is looks like a forgery. */
type Words = ReturnType<ReturnType<typeof letterWords>> & { readonly name: string }

function asText(words: Words, link: string, foot: readonly string[]): string {
  const { name, heading, asked, link: toOpen, code, otherwise } = words
  const end = `-- \n${foot.join('\n')}`
  return [name, heading, asked, `${toOpen}\n${link}`, code, otherwise, end].join('\n\n')
}

function asHtml({ heading, asked, button, code, otherwise }: Words, link: string): string {
  const p = (text: string) => `<p>${escapeHtml(text)}</p>`
  return [
    `<h1>${escapeHtml(heading)}</h1>`,
    p(asked),
    `<p><strong><a href="${escapeHtml(link)}">${escapeHtml(button)}</a></strong></p>`,
    // Easy to find, and never broken over two lines.
    p(code).replace(/(\d{3}) (\d{3})/, '<strong>$1&nbsp;$2</strong>'),
    p(otherwise),
  ].join('\n')
}
