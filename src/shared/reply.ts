import { plainLine } from './plain-line.ts'

/** What a page asks those who signed up, in one language. */
export interface Ask {
  readonly ask: string
  readonly kind: 'choice' | 'text' | 'postcode'
  /** The replies to choose from, for the kind `choice`. */
  readonly choices?: readonly string[]
}

/** The most characters of a reply. */
export const LONGEST_REPLY = 200

/**
 * A reply as it is kept: one line; a postcode in capitals; a choice as the first language has it, so
 * that the same reply in two languages counts as one.
 *
 * @param asked what is asked in the visitor's language. @param first the same in the first language.
 * @returns nothing for what is no reply to it.
 */
export function replyTo(said: unknown, asked: Ask, first: Ask): string | undefined {
  if (typeof said !== 'string') return undefined
  const line = plainLine(said, LONGEST_REPLY + 1)
  if (asked.kind === 'choice') return first.choices?.[asked.choices?.indexOf(line) ?? -1]
  if (line === '' || line.length > LONGEST_REPLY) return undefined
  if (asked.kind === 'text') return line
  const code = line.normalize('NFKC').toUpperCase()
  return /^[\p{L}\p{N}][\p{L}\p{N} -]{1,11}$/u.test(code) ? code : undefined
}

/**
 * Whether a reply is the one that is looked for: of a postcode its beginning, of another the whole
 * reply, in any case.
 */
export function isReply(reply: string, wanted: string, kind: Ask['kind'] | undefined): boolean {
  const [theirs, ours] = [reply, wanted].map((text) => text.normalize('NFKC').trim().toLowerCase())
  return kind === 'postcode' ? !!theirs?.startsWith(ours ?? '') : theirs === ours
}

/** What somebody replied, of what is known of them. */
export function replyIn(fields: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const reply = fields?.answer
  const isOne = typeof reply === 'string' && reply !== '' && !/\p{Cc}/u.test(reply)
  return isOne && reply.length <= LONGEST_REPLY ? reply : undefined
}
