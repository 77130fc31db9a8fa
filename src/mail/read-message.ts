import PostalMime from 'postal-mime'

/** A header field: its name in lower case, and its unfolded value. */
export type Field = readonly [name: string, value: string]

/** A part of a message that is no multipart. */
export interface MessagePart {
  /** Such as `message/delivery-status`. */
  readonly type: string
  /** Decoded, as UTF-8. */
  readonly text: string
}

export interface ReadMessage {
  readonly fields: readonly Field[]
  readonly parts: readonly MessagePart[]
  /** Whether it goes beyond the bounds, so that some of its report was not read. */
  readonly isCut: boolean
}

/** How many bytes of a message are read. Reports have some 10 kB of header, and as much of text. */
export const MOST = 131_072
const BOUNDS = { maxNestingDepth: 10, maxHeadersSize: MOST / 2 }

/** What stands before a message in a mailbox file: `From`, an address and a time. */
const FROM_LINE = /\nFrom [^\n]*\d\d:\d\d[^\n]*/

/** Reads a message, or one by one those of a mailbox file (mbox), in bounded memory. */
export async function* readMessages(file: AsyncIterable<Uint8Array>): AsyncIterable<ReadMessage> {
  let isMailbox: boolean | undefined
  let message = ''
  /** A line that has not ended yet, behind the end of the last one. */
  let rest = '\n'
  for await (const chunk of file) {
    const text = rest + Buffer.from(chunk).toString('latin1')
    const end = text.length > MOST ? text.length : text.lastIndexOf('\n')
    rest = text.slice(end)
    if (end <= 0) continue
    const whole = text.slice(0, end)
    isMailbox ??= whole.startsWith('\nFrom ')
    const [more = '', ...next] = isMailbox ? whole.split(FROM_LINE) : [whole]
    if (message.length < MOST) message += more
    for (const begun of next) {
      if (message) yield await read(message)
      message = begun
    }
  }
  message += rest
  if (message.length > 1) yield await read(message)
}

/** @param message each byte a character, behind the end of a line. */
async function read(message: string): Promise<ReadMessage> {
  const bytes = Buffer.from(message.slice(1, MOST), 'latin1')
  const options = { ...BOUNDS, forceRfc822Attachments: true }
  const found = await PostalMime.parse(bytes, options).catch(() => undefined)
  if (!found) return { fields: [], parts: [], isCut: true }
  const parts = found.attachments.map(({ mimeType, content }) => ({
    type: mimeType,
    text: Buffer.from(content as ArrayBuffer).toString(),
  }))
  const isReport = /-(?:status|report)$/.test(parts.at(-1)?.type ?? '')
  return {
    fields: found.headers.map(({ key, value }) => [key, value]),
    parts: [{ type: 'text/plain', text: found.text ?? '' }, ...parts],
    // The letter that came back may be long; only its header is looked at.
    isCut: isReport && message.length >= MOST,
  }
}

/** The fields of a header; each value as UTF-8, as RFC 6532 has it. */
export function fieldsOf(header: string): Field[] {
  const unfolded = header.replaceAll(/\r?\n(?=[ \t])/g, '')
  return unfolded.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^([!-9;-~]+)[ \t]*:(.*)$/s.exec(line) ?? []
    return name && value !== undefined ? [[name.toLowerCase(), value.trim()] as const] : []
  })
}

/** The first value of a field; empty where there is none. */
export function fieldIn(fields: readonly Field[], name: string): string {
  return fields.find(([one]) => one === name)?.[1] ?? ''
}
