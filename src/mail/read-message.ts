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
      if (!reading || isBetween) reading = messageReader()
      if (!isBetween) reading.take(line)
    }
  if (reading) yield reading.end()
}

/** The header of a message alone. */
export async function readHeader(file: AsyncIterable<Uint8Array>): Promise<readonly Field[]> {
  const reading = messageReader()
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

type MessageReader = ReturnType<typeof messageReader>

function messageReader() {
  /** The lines between the parts of the multiparts that are open, outermost first. */
  const delimiters: string[] = []
  const parts: { readonly type: string; readonly encoding: string; text: string }[] = []
  let own: readonly Field[] | undefined
  let part: (typeof parts)[number] | undefined
  /** The header under way. */
  let header: string | undefined = ''
  let [begun, isCut] = [0, false]

  function endHeader() {
    const fields = fieldsOf(decoded(header ?? '', ''))
    own ??= fields
    header = undefined
    const contentType = fieldIn(fields, 'content-type')
    const type = /^[\w.+-]+\/[\w.+-]+/.exec(contentType)?.[0].toLowerCase() ?? 'text/plain'
    const [, quoted, token] = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(contentType) ?? []
    const boundary = type.startsWith('multipart/') && (quoted ?? token)
    begun += 1
    if (begun > MOST.parts || (boundary && delimiters.length >= MOST.levels)) isCut = true
    else if (boundary) delimiters.push(`--${boundary.trimEnd()}`)
    else {
      part = { type, encoding: fieldIn(fields, 'content-transfer-encoding'), text: '' }
      parts.push(part)
    }
  }

  return {
    isInHeader: () => own === undefined,
    /** Whether only a line between parts changes anything. */
    isBetweenParts: () => header === undefined && part === undefined,

    take(line: string) {
      const mark = line.startsWith('--') ? line.trimEnd() : ''
      const level = delimiters.findLastIndex((one) => mark === one || mark === `${one}--`)
      if (level >= 0) {
        const isNext = mark === delimiters[level]
        delimiters.length = isNext ? level + 1 : level
        part = undefined
        header = isNext ? '' : undefined
      } else if (header === undefined) {
        if (!part) return
        part.text += `${line}\n`
        if (part.text.length < MOST.text) return
        // The letter that came back may be long; only its header is looked at.
        isCut ||= /-(?:status|report)$/.test(part.type)
        part = undefined
      } else if (line === '') {
        if (own || header !== '') endHeader()
      } else if (header.length + line.length <= MOST.header) header += `${line}\n`
      else {
        endHeader()
        isCut = true
        part = undefined
      }
    },

    end(): ReadMessage {
      if (header) endHeader()
      return {
        fields: own ?? [],
        parts: parts.map(({ type, encoding, text }) => ({ type, text: decoded(text, encoding) })),
        isCut,
      }
    },
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
