import type { Readable } from 'node:stream'
import { refused } from './problems.ts'

/** Longest line in characters; a longer one would fill the memory. */
const LONGEST_LINE = 1_000_000

/**
 * Decodes a file: UTF-8, or UTF-16 with a byte order mark, unless another encoding is given.
 *
 * @param encoding as `TextDecoder` knows it. @throws Refused when it cannot be read or is no
 *   text.
 */
export async function* decodedText(file: Readable, encoding?: string): AsyncIterable<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let head = Buffer.alloc(0)
  for await (const bytes of readable(file)) {
    if (decoder) {
      yield decoder.decode(bytes, { stream: true })
      continue
    }
    // The first bytes identify the format; a pipe may deliver them one by one.
    head = Buffer.concat([head, bytes])
    if (head.length < 4) continue
    decoder = new TextDecoder(encoding ?? encodingOf(head))
    yield decoder.decode(head, { stream: true })
  }
  yield decoder ? decoder.decode() : new TextDecoder(encoding).decode(head)
}

async function* readable(file: Readable): AsyncIterable<Buffer> {
  try {
    for await (const chunk of file) yield Buffer.from(chunk)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (!code) throw cause
    const isFolder = code === 'EISDIR'
    throw refused({ code: 'unreadable', isFolder, answer: message }, { cause })
  }
}

function encodingOf(head: Buffer): string {
  const begins = (...bytes: number[]) => bytes.every((byte, i) => head[i] === byte)
  if (begins(0xff, 0xfe, 0, 0) || begins(0, 0, 0xfe, 0xff)) throw refused({ code: 'utf-32' })
  if (begins(0xff, 0xfe)) return 'utf-16le'
  if (begins(0xfe, 0xff)) return 'utf-16be'
  if (begins(0x50, 0x4b, 3, 4)) throw refused({ code: 'archive' })
  if (head.includes(0)) throw refused({ code: 'no-text' })
  return 'utf-8'
}

/** Passes text through. @throws Refused at a line that is too long to be one of a list. */
export async function* boundedLines(text: AsyncIterable<string>): AsyncIterable<string> {
  let line = 1
  let length = 0
  for await (const chunk of text) {
    let from = 0
    for (;;) {
      const end = chunk.indexOf('\n', from)
      length += (end < 0 ? chunk.length : end) - from
      if (length > LONGEST_LINE) throw refused({ code: 'long-line', line })
      if (end < 0) break
      line += 1
      length = 0
      from = end + 1
    }
    yield chunk
  }
}
