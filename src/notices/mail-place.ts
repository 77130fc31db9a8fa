import { createHash } from 'node:crypto'
import { letterColours } from '../mail/letter/colours.ts'
import { layout } from '../mail/letter/layout.ts'
import { senderDomain } from '../mail/letter/letter.ts'
import type { Mailer, Message } from '../mail/mailer.ts'
import { grouped } from '../shared/counted.ts'
import { escapeHtml } from '../shared/escape-html.ts'
import type { Product } from '../shared/product.ts'
import { asText, titleOf, wordsOf } from './formats.ts'
import type { NoticeMessage, Place } from './place.ts'
import type { WordList, Words } from './words.ts'

export interface MailPlaceOptions {
  readonly product: Product
  readonly zone: string
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
  { product, zone, to, from }: Omit<MailPlaceOptions, 'mailer' | 'name'>,
): Message {
  const options = { product: product.name, zone }
  const words = wordsOf(message, options)
  const subject = titleOf(words, options)
  const foot = `Sent by the server of ${product.name}, since NOTIFY_MAIL names this address.`
  const text = [
    ...words.map((one) => `${one.title}\n\n${asText(one, (name) => name)}`),
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
      body: words.map((one) => asHtml(one, product, colours.light.line)).join('<hr>\n'),
      footer: escapeHtml(foot),
    }),
    messageId: `<${marked.slice(0, 22)}.notice@${senderDomain(from)}>`,
    // RFC 3834: suppresses automatic replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

const numberStyle = (line: string) =>
  `padding:6px 0;border-bottom:1px solid ${line};text-align:right;font-variant-numeric:tabular-nums;`
const headingStyle =
  'margin:0 0 12px;font-size:20px;line-height:1.3;letter-spacing:-0.01em;font-weight:600;'

function asHtml({ title, lines, lists }: Words, { name }: Product, line: string): string {
  // The letter's head has the name already.
  const heading = title.startsWith(`${name}: `) ? title.slice(name.length + 2) : title
  const first = heading.charAt(0).toUpperCase() + heading.slice(1)
  return [
    `<h2 style="${headingStyle}">${escapeHtml(first)}</h2>`,
    `<p>${lines.map(escapeHtml).join('<br>\n')}</p>`,
    ...lists.map((list) => listAsHtml(list, line)),
  ].join('\n')
}

function listAsHtml({ heading, items, more = 0 }: WordList, line: string): string {
  const head = `<h3>${escapeHtml(heading)}</h3>`
  const rest = more > 0 ? `\n<p>and ${grouped(more)} more</p>` : ''
  if (items.every(([, ours]) => ours === ''))
    return `${head}\n<blockquote>${items.map(([theirs]) => escapeHtml(theirs)).join('<br>\n')}</blockquote>${rest}`
  const rows = items.map(
    ([theirs, ours]) =>
      `<tr><td>${escapeHtml(theirs)}</td><td style="${numberStyle(line)}">${escapeHtml(ours)}</td></tr>`,
  )
  return `${head}\n<table width="100%">${rows.join('\n')}</table>${rest}`
}
