/** A header field: its name in lower case, and its unfolded value. */
export type Field = readonly [name: string, value: string]

/** A part of a message that is no multipart. */
export interface MessagePart {
  /** Such as `message/delivery-status`. */
  readonly type: string
  /** Its beginning, decoded, as UTF-8. */
  readonly text: string
}

export interface ReadMessage {
  readonly fields: readonly Field[]
  readonly parts: readonly MessagePart[]
  /** Whether it goes beyond the bounds, so that some of it was not read. */
  readonly isCut: boolean
}

/**
 * How much of a message is read: levels of multiparts, parts, and bytes of a line, of a header and of
 * a part. Reports have three parts at one level, and some 10 kB of header.
 */
export const MOST = { levels: 10, parts: 50, line: 16_384, header: 131_072, text: 131_072 }

/** What stands before a message in a mailbox file: `From`, an address and a time. */
const FROM_LINE = /^From .*\d\d:\d\d/

/** Reads a message, or one by one those of a mailbox file (mbox), in bounded memory. */
export async function* readMessages(file: AsyncIterable<Uint8Array>): AsyncIterable<ReadMessage> {
  let reading: MessageReader | undefined
  let isMailbox = false
  for await (const lines of linesOf(file, () => reading?.isBetweenParts() ?? false))
    for (const line of lines) {
      if (!reading) isMailbox = line.startsWith('From ')
      const isBetween = isMailbox && (!reading || FROM_LINE.test(line))
      if (reading && isBetween) yield reading.end()
      if (!reading || isBetween) reading = new MessageReader()
      if (!isBetween) reading.take(line)
    }
  if (reading) yield reading.end()
}

/** The header of a message alone. */
export async function readHeader(file: AsyncIterable<Uint8Array>): Promise<readonly Field[]> {
  const reading = new MessageReader()
  for await (const lines of linesOf(file, () => false)) {
    for (const line of lines) if (reading.isInHeader()) reading.take(line)
    if (!reading.isInHeader()) break
  }
  return reading.end().fields
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

/** Its text is not decoded yet. */
interface Part {
  readonly type: string
  readonly encoding: string
  text: string
}

/** Reads a message line by line: headers, and the beginnings of the parts that they describe. */
class MessageReader {
  /** The lines between the parts of the multiparts that are open, outermost first. */
  readonly #delimiters: string[] = []
  readonly #parts: Part[] = []
  #own: readonly Field[] | undefined
  #part: Part | undefined
  /** The header under way. */
  #header: string | undefined = ''
  #begun = 0
  #isCut = false

  isInHeader() {
    return this.#own === undefined
  }

  /** Whether only a line between parts changes anything. */
  isBetweenParts() {
    return this.#header === undefined && this.#part === undefined
  }

  take(line: string) {
    const mark = line.startsWith('--') ? line.trimEnd() : ''
    const level = this.#delimiters.findLastIndex((one) => mark === one || mark === `${one}--`)
    if (level >= 0) {
      const isNext = mark === this.#delimiters[level]
      this.#delimiters.length = isNext ? level + 1 : level
      this.#part = undefined
      this.#header = isNext ? '' : undefined
    } else if (this.#header === undefined) this.#takeText(line)
    else if (line === '') {
      if (this.#own || this.#header !== '') this.#endHeader(this.#header)
    } else if (this.#header.length + line.length <= MOST.header) this.#header += `${line}\n`
    else {
      this.#endHeader(this.#header)
      this.#isCut = true
      this.#part = undefined
    }
  }

  end(): ReadMessage {
    if (this.#header) this.#endHeader(this.#header)
    return {
      fields: this.#own ?? [],
      parts: this.#parts.map(({ type, encoding, text }) => ({
        type,
        text: decoded(text, encoding),
      })),
      isCut: this.#isCut,
    }
  }

  #takeText(line: string) {
    if (!this.#part) return
    this.#part.text += `${line}\n`
    if (this.#part.text.length < MOST.text) return
    // The letter that came back may be long; only its header is looked at.
    this.#isCut ||= /-(?:status|report)$/.test(this.#part.type)
    this.#part = undefined
  }

  #endHeader(header: string) {
    const fields = fieldsOf(decoded(header, ''))
    this.#own ??= fields
    this.#header = undefined
    const contentType = fieldIn(fields, 'content-type')
    const type = /^[\w.+-]+\/[\w.+-]+/.exec(contentType)?.[0].toLowerCase() ?? 'text/plain'
    const [, quoted, token] = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(contentType) ?? []
    const boundary = type.startsWith('multipart/') && (quoted ?? token)
    this.#begun += 1
    const isBeyond = boundary && this.#delimiters.length >= MOST.levels
    if (this.#begun > MOST.parts || isBeyond) this.#isCut = true
    else if (boundary) this.#delimiters.push(`--${boundary.trimEnd()}`)
    else {
      this.#part = { type, encoding: fieldIn(fields, 'content-transfer-encoding'), text: '' }
      this.#parts.push(this.#part)
    }
  }
}

/** @param bytes each a character. */
function decoded(bytes: string, encoding: string): string {
  const isQuoted = /^quoted-printable$/i.test(encoding.trim())
  const plain = isQuoted
    ? bytes
        .replaceAll(/=\r?\n/g, '')
        .replaceAll(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : bytes
  return Buffer.from(plain, /^base64$/i.test(encoding.trim()) ? 'base64' : 'latin1').toString()
}

/**
 * Lines without their ends, each byte a character; of a long one its beginning.
 *
 * @param isBrief whether only lines that may stand between parts or messages are wanted now: what
 *   begins otherwise never becomes text, of which hundreds of megabytes would wait for a collection.
 */
async function* linesOf(
  file: AsyncIterable<Uint8Array>,
  isBrief: () => boolean,
): AsyncIterable<Iterable<string>> {
  let rest = ''
  for await (const chunk of file) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
    function* lines() {
      let at = 0
      const text = (end: number) =>
        (rest + bytes.toString('latin1', at, Math.min(end, at + MOST.line))).slice(0, MOST.line)
      for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, at)) {
        if (rest !== '' || !isBrief() || MARKS.includes(bytes[at]))
          yield text(end).replace(/\r$/, '')
        rest = ''
        at = end + 1
      }
      rest = text(bytes.length)
    }
    yield lines()
  }
  if (rest !== '') yield [rest.replace(/\r$/, '')]
}

const LF = 0x0a
/** The first bytes of a line that may stand between parts or messages: of `--` and of `From `. */
const MARKS: readonly (number | undefined)[] = [0x2d, 0x46]
