import type { Readable } from 'node:stream'
import signatures from './file-signatures.json' with { type: 'json' }
import { refused } from './problems.ts'

/**
 * Decodes a file: UTF-8 or UTF-16, unless another encoding is given. A byte order mark comes before
 * what is given, as in the Encoding Standard. Every line ends with LF, also those of an old Mac, which
 * end with CR alone.
 *
 * @param encoding as `TextDecoder` knows it. @throws Refused when it cannot be read or is no
 *   text.
 */
export async function* decodedText(file: Readable, encoding?: string): AsyncIterable<string> {
  let last = ''
  for await (const text of decoded(file, encoding)) {
    const all = last + text
    // It may be the first half of CR and LF.
    last = all.endsWith('\r') ? '\r' : ''
    yield all.slice(0, all.length - last.length).replace(/\r\n?/g, '\n')
  }
  yield last && '\n'
}

async function* decoded(file: Readable, encoding?: string): AsyncIterable<string> {
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
    decoder = new TextDecoder(encodingOf(head, encoding))
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

function encodingOf(head: Buffer, named: string | undefined): string {
  const hex = head.toString('hex')
  for (const [code, starts] of Object.entries(signatures['none of ours']))
    if (starts.split(' ').some((start) => hex.startsWith(start)))
      throw refused({ code: code as keyof (typeof signatures)['none of ours'] })
  const marked = Object.entries(signatures.marks).find(([, mark]) => hex.startsWith(mark))
  if (marked || named) return marked?.[0] ?? String(named)
  // Without its mark, UTF-16 is known by the zeros between the letters of the first name.
  if (/^(?:(?!00)..00){2}/.test(hex)) return 'utf-16le'
  if (/^(?:00(?!00)..){2}/.test(hex)) return 'utf-16be'
  if (head.includes(0)) throw refused({ code: 'no-text' })
  return 'utf-8'
}
