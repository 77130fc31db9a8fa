import { grouped } from '../shared/counted.ts'
import { plainLine } from '../shared/plain-line.ts'
import type { NoticeMessage } from '../store/notices.ts'
import { inWords, type Words } from './words.ts'

export interface FormatOptions {
  /** The product's name. */
  readonly product: string
}

/** The body of a message, as JSON. */
export type Format = (message: NoticeMessage, options: FormatOptions) => string

/** Longer than any name, and short enough that a list of them fits. */
const LONGEST_NAME = 100

/** What others wrote, on one line. */
const theirLine = (text: string) => plainLine(text, LONGEST_NAME)

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

/**
 * Blocks of `plain_text`, in which Slack reads no mark-up. In case it does, text by others has
 * neither the characters of a mention or a link, nor an address that Slack would turn into a link.
 */
export const slackFormat: Format = (message, options) => {
  const words = wordsOf(message, options)
  const plain = (text: string, most: number) => ({
    type: 'plain_text',
    emoji: false,
    text: cut(text, most),
  })
  const theirs = (text: string) =>
    theirLine(text).replaceAll('<', '‹').replaceAll('>', '›').replaceAll('://', ': //')
  const blocks = words.flatMap((one) => [
    { type: 'header', text: plain(one.title, SLACK_HEADER) },
    { type: 'section', text: plain(asText(one, theirs), SLACK_TEXT) },
  ])
  // Shown where blocks are not. Slack reads mark-up in this text, so it holds nothing that
  // strangers wrote.
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

/** Text by others is put in code, in which Discord reads no mark-up and no mentions. */
export const discordFormat: Format = (message, options) => {
  const words = wordsOf(message, options)
  const escaped = (text: string) => text.replace(/[\\*_~|>`#[\]()<@:-]/g, '\\$&')
  const theirs = (text: string) => `\`${theirLine(text).replaceAll('`', 'ˋ')}\``
  const parts = words.map((one) => `**${escaped(one.title)}**\n${asText(one, theirs)}`)
  return JSON.stringify({
    content: cutLines(parts.join('\n\n'), DISCORD_TEXT),
    allowed_mentions: { parse: [] },
    flags: NO_PREVIEWS,
  })
}

/** @param theirs makes what others wrote harmless. */
export function asText({ lines, lists }: Words, theirs: (text: string) => string): string {
  const listed = lists.map(({ heading, items, more = 0 }) =>
    [
      `${heading}:`,
      ...items.map(([name, ours]) => `• ${theirs(name)}${ours ? `  ${ours}` : ''}`),
      ...(more > 0 ? [`and ${grouped(more)} more`] : []),
    ].join('\n'),
  )
  return [lines.join('\n'), ...listed].join('\n\n')
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}

/** Whole lines, so that no code is left open. */
function cutLines(text: string, most: number): string {
  if (text.length <= most) return text
  const kept = text.slice(0, most)
  return `${kept.slice(0, Math.max(kept.lastIndexOf('\n'), 0))}\n…`
}
