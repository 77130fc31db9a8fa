import type { Departure } from '../people/standing.ts'
import words from './column-words.json' with { type: 'json' }
import { bare } from './without-accents.ts'

/** What the cells of a column say of people, as far as its name tells. */
export interface ColumnKind {
  /** Who has a yes or a time there left; who has a no there never agreed, or left; or a word says it. */
  readonly says: 'left' | 'agreed' | 'status'
  /** How they stand then. */
  readonly standing: Departure | 'unconfirmed'
  /** Any text there is a yes, such as a reason for leaving. */
  readonly isText?: boolean
  /** It may be about something else: the operator has to say. */
  readonly isUnclear?: boolean
  /** A yes there may be a no: the operator has to say that too. */
  readonly isTurned?: boolean
}

interface Rule extends ColumnKind {
  readonly parts: string
  /** What the kind is if the name has further words. */
  readonly more?: 'another' | 'unclear' | 'always unclear'
  /** Further words that change nothing. */
  readonly besides?: string
}

const partsOf = (list: string) => bare(list).toLowerCase().split(' ')
const rules = (words.kinds as readonly Rule[]).map(({ parts, besides = '', more, ...kind }) => ({
  kind,
  more,
  parts: partsOf(parts),
  mayHave: new Set(partsOf(`${words['nothing else']} ${besides}`)),
}))
const lists = {
  subject: partsOf(words['another subject']),
  channel: partsOf(words['another channel']),
  email: partsOf(words.email),
  reason: partsOf(words.reason),
  negation: partsOf(words.negation),
  freeText: partsOf(words['free text']),
}

/** The words of a name between underscores: `_unsubscribed_at_` for `unsubscribedAt`. */
const wordsIn = (name: string) =>
  `_${bare(name).replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, '_')}_`
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+|(?<=\p{L})(?=status)|(?<=status)(?=\p{L})/gu, '_')

/** @returns the parts that the words of a name have. */
const partsIn = (name: string, parts: readonly string[]) =>
  parts.filter((part) => (part.includes('_') ? name : name.replaceAll('_', '')).includes(part))

const has = (name: string, parts: readonly string[]) => partsIn(name, parts).length > 0

/** Whether the words of a name say that it has addresses. */
export const isAddressName = (name: string) => has(wordsIn(name), lists.email)

/** Whether a word for how somebody stands may stand there, and say nothing of letters. */
export const isOfAnother = (name: string) =>
  [lists.freeText, lists.subject, lists.channel].some((parts) => has(wordsIn(name), parts))

/** The kinds of the names that were met: the rows of JSON may each have names of their own. */
const met = new Map<string, ColumnKind | undefined>()
const MOST_KEPT = 10_000

/** @returns nothing for a column that is about something else. */
export function columnKind(name: string): ColumnKind | undefined {
  if (met.size > MOST_KEPT) met.clear()
  if (!met.has(name)) met.set(name, kindOf(wordsIn(name)))
  return met.get(name)
}

function kindOf(name: string): ColumnKind | undefined {
  const { subject, channel, email, reason, negation } = lists
  if (has(name, subject) || (has(name, channel) && !has(name, email))) return undefined
  const rule = rules.find(
    ({ parts, mayHave, more }) =>
      has(name, parts) && (more !== 'another' || !hasMore(name, parts, mayHave)),
  )
  if (!rule) return undefined
  const { kind, more, parts, mayHave } = rule
  const isReason = has(name, reason)
  // Such as the source of an opt-in.
  if (isReason && kind.says !== 'left') return undefined
  const found = partsIn(name, parts)
  // What turns a yes round may turn round another word: `not_unsubscribed`, and not `do_not_contact`.
  const isTurned = has(name, negation) && !found.some((part) => has(`_${part}_`, negation))
  const isUnclear =
    isTurned ||
    more === 'always unclear' ||
    (more === 'unclear' && !isReason && hasMore(name, parts, mayHave))
  return { ...kind, isText: isReason || kind.isText === true, isUnclear, isTurned }
}

/** Whether a name has words that may change its meaning. */
function hasMore(name: string, parts: readonly string[], mayHave: ReadonlySet<string>): boolean {
  const found = partsIn(name, parts).map((part) => part.replaceAll('_', ''))
  const isFound = (word: string) => found.some((part) => word.includes(part) || part.includes(word))
  return name.split('_').some((word) => !isFound(word) && !mayHave.has(word) && !/^\d+$/.test(word))
}
