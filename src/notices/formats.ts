import type { NoticeMessage } from '../store/notices.ts'
import { inWords, type Words } from './words.ts'

export interface FormatOptions {
  /** The product's name. */
  readonly product: string
}

/** The body of a message, as JSON. */
export type Format = (message: NoticeMessage, options: FormatOptions) => string

export function wordsOf({ notices }: NoticeMessage, { product }: FormatOptions): Words[] {
  return notices.map((notice) => inWords(notice, product))
}

/** The title of a message with several notices. */
export function titleOf(words: readonly Words[], { product }: FormatOptions): string {
  const [first, ...more] = words
  return first && more.length === 0 ? first.title : `${product}: ${words.length} notices`
}

/** JSON by Standard Webhooks, of the same form for one notice or several. */
export const webhookFormat: Format = ({ notices }, { product }) => {
  const told = notices.map(({ id, type, at, data }) => ({
    ...{ id, type, timestamp: at.toISOString(), data },
  }))
  const timestamp = told.at(-1)?.timestamp
  return JSON.stringify({ type: 'notices', timestamp, data: { product, notices: told } })
}

const SLACK_HEADER = 150
const SLACK_TEXT = 2900
const SLACK_BLOCKS = 48

/** Blocks of `plain_text`, in which Slack reads no mark-up. */
export const slackFormat: Format = (message, options) => {
  const words = wordsOf(message, options)
  const plain = (text: string, most: number) => ({
    type: 'plain_text',
    emoji: false,
    text: cut(text, most),
  })
  const blocks = words.flatMap((one) => [
    { type: 'header', text: plain(one.title, SLACK_HEADER) },
    { type: 'section', text: plain(one.lines.join('\n'), SLACK_TEXT) },
  ])
  // Shown where blocks are not. Slack reads mark-up in this text.
  const text = words.map(({ title, lines }) => [title, ...lines].join('\n')).join('\n\n')
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return JSON.stringify({
    text: cut(escaped, SLACK_TEXT),
    blocks: blocks.slice(0, SLACK_BLOCKS),
    unfurl_links: false,
    unfurl_media: false,
  })
}

const DISCORD_TEXT = 1900
/** Shows no previews of links. */
const NO_PREVIEWS = 4

export const discordFormat: Format = (message, options) => {
  const words = wordsOf(message, options)
  const escaped = (text: string) => text.replace(/[\\*_~|>`#[\]()<@:-]/g, '\\$&')
  const parts = words.map(({ title, lines }) => `**${escaped(title)}**\n${lines.join('\n')}`)
  return JSON.stringify({
    content: cut(parts.join('\n\n'), DISCORD_TEXT),
    allowed_mentions: { parse: [] },
    flags: NO_PREVIEWS,
  })
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}
