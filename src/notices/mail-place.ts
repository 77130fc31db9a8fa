import { createHash } from 'node:crypto'
import { letterColours } from '../mail/letter/colours.ts'
import { layout } from '../mail/letter/layout.ts'
import type { Mailer, Message } from '../mail/mailer.ts'
import { senderDomain } from '../mail/sender.ts'
import { capitalized } from '../shared/capitalized.ts'
import { escapeHtml } from '../shared/escape-html.ts'
import type { Product } from '../shared/product.ts'
import type { NoticeMessage } from '../store/notices.ts'
import { titleOf, wordsOf } from './formats.ts'
import type { Place } from './place.ts'
import type { Words } from './words.ts'

interface MailPlaceOptions {
  readonly product: Product
  /** What the store knows it by. */
  readonly name: string
  readonly to: string
  /** An address, or a name with an address in angle brackets. */
  readonly from: string
  readonly mailer: Mailer
}

/** A mailbox that gets a calm letter. */
export function mailPlace(options: MailPlaceOptions): Place {
  const { name, mailer } = options
  return {
    name,
    label: 'NOTIFY_MAIL',
    async send(message) {
      const { kind, answer } = await mailer.send(noticeLetter(message, options))
      return kind === 'accepted' ? { kind: 'taken' } : { kind: 'failed', failure: answer }
    },
    close: () => mailer.close(),
  }
}

/** The letter of a message; it is the same with every try. */
export function noticeLetter(
  message: NoticeMessage,
  { product, to, from }: Omit<MailPlaceOptions, 'mailer' | 'name'>,
): Message {
  const options = { product: product.name }
  const words = wordsOf(message, options)
  const subject = titleOf(words, options)
  const foot = `Sent by the server of ${product.name}, since NOTIFY_MAIL names this address.`
  const text = [
    ...words.map(({ title, lines }) => `${title}\n\n${lines.join('\n')}`),
    `-- \n${foot}\n`,
  ].join('\n\n')
  const colours = letterColours(product)
  const marked = createHash('sha256').update(`${message.id} ${to}`).digest('base64url')
  return {
    from,
    replyTo: undefined,
    to,
    subject,
    text,
    pictures: [],
    html: layout({
      subject,
      preview: words[0]?.lines[0] ?? '',
      name: product.name,
      colours,
      body: words.map((one) => asHtml(one, product)).join('<hr>\n'),
      footer: escapeHtml(foot),
    }),
    messageId: `<${marked.slice(0, 22)}.notice@${senderDomain(from)}>`,
    // RFC 3834: suppresses automatic replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

const headingStyle =
  'margin:0 0 12px;font-size:20px;line-height:1.3;letter-spacing:-0.01em;font-weight:600;'

function asHtml({ title, lines }: Words, { name }: Product): string {
  // The letter's head has the name already.
  const heading = title.startsWith(`${name}: `) ? title.slice(name.length + 2) : title
  const text = lines.map(escapeHtml).join('<br>\n')
  return `<h2 style="${headingStyle}">${escapeHtml(capitalized(heading))}</h2>\n<p>${text}</p>`
}
