import { parseEmail } from '../shared/email.ts'
import { type Field, fieldIn, readMessages } from './read-message.ts'

/** The findings of a mailbox's server about a received letter (RFC 8601). */
export interface Received {
  /** The domain that the letter says it is from. */
  readonly domain: string
  /** The server that checked; empty where it does not name itself, as Outlook's. */
  readonly by: string
  readonly results: readonly Result[]
}

interface Result {
  readonly method: 'spf' | 'dkim' | 'dmarc'
  /** `pass`, `fail`, `none` and others of RFC 8601. */
  readonly result: string
  /** The domain that was checked, of the envelope's sender or of the signature; may be empty. */
  readonly domain: string
}

/**
 * Reads a received letter. Only fields of the server that wrote the topmost one count: those below
 * may be forged by the sender.
 *
 * @param file as a mail program saves it, such as "Download original" of Gmail.
 * @returns `undefined` for a file that is no letter, or has no such field.
 */
export async function readReceived(file: AsyncIterable<Uint8Array>): Promise<Received | undefined> {
  let header: readonly Field[] = []
  for await (const { fields } of readMessages(file)) header = fields
  const fields = header
    .filter(([name]) => name === 'authentication-results')
    .map(([, value]) => readField(value))
  const email = senderIn(fieldIn(header, 'from'))
  const [top] = fields
  if (!top || !email) return undefined
  const results = fields.filter(({ by }) => by === top.by).flatMap((field) => field.results)
  return { domain: email.slice(email.lastIndexOf('@') + 1), by: top.by, results }
}

/** `team@example.org`, or `"Team <of@us>" <team@example.org> (since 2026)`. */
function senderIn(from: string): string | undefined {
  const [, address = from] = /.*<([^<>]*)>/.exec(from) ?? []
  return parseEmail(withoutComments(address).trim())
}

function readField(value: string): Pick<Received, 'by' | 'results'> {
  const [first = '', ...rest] = withoutComments(value)
    .split(';')
    .map((part) => part.trim())
  const isResult = /^\w+=/.test(first)
  const parts = isResult ? [first, ...rest] : rest
  return { by: isResult ? '' : (first.split(/\s/)[0] ?? ''), results: parts.flatMap(readResult) }
}

function readResult(part: string): Result[] {
  const found = /^(spf|dkim|dmarc)=(\w+)/i.exec(part)
  if (!found) return []
  const properties = new Map(
    [...part.matchAll(/\b((?:smtp|header)\.[\w-]+)=("[^"]*"|\S+)/g)].map(
      ([, name = '', text = '']) => [name.toLowerCase(), text.replaceAll('"', '')],
    ),
  )
  const method = (found[1] as string).toLowerCase() as Result['method']
  const whose = {
    spf: ['smtp.mailfrom', 'smtp.helo'],
    dkim: ['header.d', 'header.i'],
    dmarc: ['header.from'],
  }[method]
  const name = whose.map((property) => properties.get(property)).find(Boolean) ?? ''
  const domain = name.slice(name.lastIndexOf('@') + 1).toLowerCase()
  return [{ method, result: (found[2] as string).toLowerCase(), domain }]
}

/** Comments stand in round brackets, one in another too. */
function withoutComments(value: string): string {
  let depth = 0
  return [...value]
    .filter((character) => {
      if (character === '(') depth += 1
      const isOutside = depth === 0
      if (character === ')' && depth > 0) depth -= 1
      return isOutside
    })
    .join('')
}
