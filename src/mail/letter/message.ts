import { keyedHash } from '../../keys/address-id.ts'
import { unsubscribeTokens } from '../../keys/unsubscribe-token.ts'
import type { Product } from '../../shared/product.ts'
import type { Message } from '../mailer.ts'
import { type Letter, senderDomain } from './letter.ts'
import { oneClick } from './one-click.ts'
import { renderLetter } from './render.ts'

export interface MessageOptions {
  readonly letter: Letter
  readonly product: Product
  readonly logo: Buffer
  /** Where unsubscribe links lead, without a slash at the end. */
  readonly unsubscribeUrl: string
  /** The secret `LINK_KEY`. */
  readonly linkKey: Buffer
  readonly announcement: string
}

export interface Recipient {
  readonly addressId: string
  readonly email: string
  /** The code of an invitation, for a letter that has one in it. */
  readonly invitation?: string | undefined
}

/** Makes the message for each recipient. The same delivery always has the same `Message-ID`. */
export function messages(options: MessageOptions): (recipient: Recipient) => Message {
  const { letter, product, logo, unsubscribeUrl, linkKey, announcement } = options
  const rendered = renderLetter(letter, product, 'cid:logo')
  const tokens = unsubscribeTokens(linkKey)
  const messageName = keyedHash(linkKey, 'message-id')
  const domain = senderDomain(letter.from)

  return ({ addressId, email, invitation }) => {
    const link = `${unsubscribeUrl}/${tokens.sign(addressId)}`
    return {
      from: letter.from,
      replyTo: letter.replyTo,
      to: email,
      subject: letter.subject,
      html: rendered.html(link, invitation),
      text: rendered.text(link, invitation),
      messageId: `<${messageName(`${announcement} ${addressId}`)}@${domain}>`,
      headers: {
        ...oneClick(link),
        // RFC 3834: suppresses automatic replies.
        'Auto-Submitted': 'auto-generated',
      },
      pictures: [{ cid: 'logo', png: logo }],
    }
  }
}
