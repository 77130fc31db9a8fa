import { keyedHash } from '../../keys/address-id.ts'
import { askingButton } from '../../keys/asking-button.ts'
import { unsubscribeTokens } from '../../keys/unsubscribe-token.ts'
import { urlIn } from '../../shared/api.ts'
import { languageFor } from '../../shared/language-code.ts'
import type { Product, ProductLanguage, ProductLanguages } from '../../shared/product.ts'
import type { Message } from '../mailer.ts'
import { senderDomain } from '../sender.ts'
import type { Letter } from './letter.ts'
import { logoWidth } from './logo.ts'
import { oneClick } from './one-click.ts'
import { renderLetter } from './render.ts'

export interface MessageOptions {
  readonly letter: Letter
  readonly product: Product
  /** Those that the product is in; left out, it is in one. */
  readonly languages?: ProductLanguages | undefined
  /** The same letter in some of them; who reads another gets `letter`, with a foot in theirs. */
  readonly translations?: readonly Translated[] | undefined
  readonly logo: Buffer
  /** Where unsubscribe links lead, without a slash at the end. */
  readonly unsubscribeUrl: string
  /** The secret `LINK_KEY`. */
  readonly linkKey: Buffer
  readonly announcement: string
}

export interface Translated {
  /** One of the product's, as BCP 47 has it. */
  readonly code: string
  readonly letter: Letter
}

export interface Recipient {
  readonly addressId: string
  readonly email: string
  /** Theirs, as far as it is known. */
  readonly language?: string | undefined
  /** As `firstNameIn` gives it. */
  readonly firstName?: string | undefined
  /** For a letter that has one in it. */
  readonly code?: string | undefined
}

/** Makes the message for each recipient. The same delivery always has the same `Message-ID`. */
export function messages(options: MessageOptions): (recipient: Recipient) => Message {
  const { product, logo, linkKey, announcement } = options
  const { languages = [{ code: '', path: '', product }], translations = [] } = options
  const tokens = unsubscribeTokens(linkKey)
  const messageName = keyedHash(linkKey, 'message-id')
  const domain = senderDomain(options.letter.from)
  const made = new Map<string, ReturnType<typeof letterFor>>()

  function letterFor(theirs: ProductLanguage) {
    const translated = translations.find(({ code }) => code === theirs.code)
    const { letter } = translated ?? options
    const of = translated ? theirs : languages[0]
    return {
      letter,
      language: translations.length > 0 ? of.code : undefined,
      rendered: renderLetter(letter, of.product, 'cid:logo', theirs.product, logoWidth(logo)),
      unsubscribeUrl: urlIn(options.unsubscribeUrl, theirs.path),
      button: letter.asks && askingButton(letter.asks, options, theirs.path),
    }
  }

  return ({ addressId, email, code, firstName, language: spoken }) => {
    const theirs = languageFor(languages, spoken)
    const found = made.get(theirs.code) ?? letterFor(theirs)
    made.set(theirs.code, found)
    const { letter, language, rendered, unsubscribeUrl, button } = found
    const link = `${unsubscribeUrl}/${tokens.sign(addressId)}`
    const links = button
      ? { unsubscribe: link, button: `${button.url}/${button.tokens.sign(addressId)}` }
      : link
    return {
      from: letter.from,
      replyTo: letter.replyTo,
      to: email,
      subject: rendered.subject(firstName),
      html: rendered.html(links, code, firstName),
      text: rendered.text(links, code, firstName),
      messageId: `<${messageName(`${announcement} ${addressId}`)}@${domain}>`,
      headers: {
        ...oneClick(link),
        // RFC 3834: suppresses automatic replies.
        'Auto-Submitted': 'auto-generated',
      },
      pictures: [{ cid: 'logo', png: logo }],
      language,
    }
  }
}
