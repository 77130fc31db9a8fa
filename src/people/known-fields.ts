import * as features from '../features/all-rules.ts'
import { formFields } from '../shared/api.ts'
import type { Extra, Field, Groups, RequestSaid } from '../shared/feature-rules.ts'
import { languageCode } from '../shared/language-code.ts'
import { plainLine } from '../shared/plain-line.ts'
import { replyIn } from '../shared/reply.ts'
import { objectIn, storedTime } from '../shared/stored-json.ts'
import { MOST_MERGED, parseExtra, withFields } from './extra-fields.ts'
import { firstNameFrom, firstNameIn } from './first-name.ts'
import { consentIn } from './pending.ts'

/** Those who replied to the question are found under it. */
export const REPLIED = 'replied'

/** In the order in which they are told. */
export const fields = {
  /** That of the letters to it, as far as it is known. */
  language: { term: 'language', read: languageIn, fromCell: languageCode },
  /** From a file; the page never asks for it. */
  firstName: {
    term: 'first name',
    read: firstNameIn,
    fromCell: firstNameFrom,
    // One that is none, such as one that lost a letter, gives way.
    better: (known: Extra, heard?: Extra) => firstNameIn(known) ?? firstNameIn(heard),
  },
  ...features.fields,
  /** When they last answered that they still want to be told. */
  stillInterested: { term: 'still interested', read: stillInterestedIn },
  /** To the question that the page asks. */
  answer: {
    term: 'answered',
    read: replyIn,
    tag: REPLIED,
    groups: {
      ...{ name: 'answers', title: 'By answer', without: 'no answer', isForeign: true },
      of: (reply: string) => reply,
    },
  },
  /** When they answered it, as far as it is known. */
  repliedAt: { term: 'replied', read: (extra: Extra | undefined) => storedTime(extra?.repliedAt) },
  /** Of a consent, as another tool noted it. */
  evidence: { term: 'evidence from elsewhere', read: evidenceIn },
  /** The receipt of a confirmation. */
  consent: { read: consentIn },
}

export type KnownFields = {
  readonly [name in keyof typeof fields]?: ReturnType<(typeof fields)[name]['read']>
}

type NamedField = readonly [name: string, field: Field<unknown>]
const all: readonly NamedField[] = Object.entries(fields)

export const knownFields = (extra: Extra | undefined): KnownFields =>
  Object.fromEntries(all.map(([name, { read }]) => [name, read(extra)]))

/** A field as a line says it: a text, or when it happened. */
export interface Told {
  readonly name: string
  readonly term: string
  readonly is: string | Date
}

export function toldOf(known: KnownFields): Told[] {
  const values = known as Readonly<Record<string, unknown>>
  return all.flatMap(([name, { term, time }]) => {
    const value = values[name]
    if (term === undefined || value === undefined) return []
    return [{ name, term, is: time?.(value) ?? (value as string | Date) }]
  })
}

/** The fields that have a column of their own in a file. */
export const fieldColumns = all.flatMap(([name, { term = name, read, fromCell }]) =>
  fromCell ? [{ name, term, read, fromCell }] : [],
)

const ofForms = fieldColumns.filter(({ name }) => Object.hasOwn(formFields, name))

/** What a form says that is kept of who signs up: its fields of these names. */
export function fieldsIn(form: Readonly<Record<string, unknown>>): Extra | undefined {
  const said = ofForms.flatMap(({ name, fromCell }) => {
    const text = form[name]
    return typeof text === 'string' ? [[name, fromCell(text)]] : []
  })
  return said.length > 0 ? parseExtra(Object.fromEntries(said)) : undefined
}

/** The same of a stored sign-up, which anybody may have made: it names nobody else. */
export function saidFrom(value: unknown): Extra | undefined {
  const said = parseExtra(value)
  return said && withoutNamed(said, () => true)
}

/** Known fields stay, and new ones are added as long as there is space. */
export function mergeExtra(known: Extra | undefined, heard: Extra | undefined): Extra | undefined {
  if (!known || Object.keys(known).length === 0) return heard
  const better = all.flatMap(([name, field]) => {
    const value = field.better?.(known, heard)
    return value === undefined ? [] : [[name, value]]
  })
  const merged = { ...heard, ...known, ...Object.fromEntries(better), ...laterReply(known, heard) }
  return parseExtra(merged, MOST_MERGED) ?? known
}

/** A reply and its time, which stay together. One without a time came from elsewhere, and gives way. */
function laterReply(known: Extra, heard: Extra | undefined): Extra {
  const timeOf = (one: Extra | undefined) =>
    replyIn(one) === undefined ? -1 : Number(storedTime(one?.repliedAt) ?? 0)
  const later = heard && timeOf(heard) > timeOf(known) ? heard : known
  return replyIn(later) === undefined ? {} : { answer: later.answer, repliedAt: later.repliedAt }
}

/** What is kept of a request of somebody who confirms, and was not on the list. */
export const fieldsOfRequest = (request: RequestSaid, at: Date): Extra =>
  Object.fromEntries(
    all.flatMap(([name, { ofRequest }]) => {
      const value = ofRequest?.(request, at)
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** By what people are compared, and the group of somebody in each. */
export const groupings = all.flatMap(([, { read, groups }]) =>
  groups ? [{ ...groups, groupOf: groupOf(read, groups) }] : [],
)

function groupOf<T>(read: Field<T>['read'], { of }: Groups<T>) {
  return (extra: Extra | undefined) => {
    const value = read(extra)
    return value === undefined ? undefined : of(value)
  }
}

/** Under what somebody is found for their fields. */
export const tagsOf = (extra: Extra | undefined): string[] =>
  tagged.flatMap(([, { read, tag }]) => (read(extra) === undefined ? [] : (tag ?? [])))

const tagged = all.filter(([, { tag }]) => tag)

const naming = all.filter(([, { named }]) => named)

/** Those whom the fields of somebody name, by their address ids. */
export const namedIn = (extra: Extra | undefined): string[] =>
  naming.flatMap(([, field]) => nameIn(field, extra) ?? [])

/** The same without the fields that name one who is erased. */
export function withoutNamed<T extends Extra>(
  extra: T,
  isErased: (addressId: string) => boolean,
): T {
  const gone = naming.flatMap(([name, field]) => {
    const addressId = nameIn(field, extra)
    return addressId !== undefined && isErased(addressId) ? [[name, undefined]] : []
  })
  return gone.length === 0 ? extra : { ...extra, ...Object.fromEntries(gone) }
}

function nameIn({ read, named }: NamedField[1], extra: Extra | undefined): string | undefined {
  const value = named && read(extra)
  return value === undefined ? undefined : named?.(value)
}

/**
 * The language of an address: that of the page on which it came to the list, or of the question that
 * its owner answered with yes.
 *
 * @returns it as BCP 47 has it; nothing where none is known.
 */
export function languageIn(extra: Extra | undefined): string | undefined {
  return languageCode(objectIn(extra?.consent)?.language) ?? languageCode(extra?.language)
}

/** When somebody last said by themselves that they want to be told, of what is kept beside their sign-up. */
export function lastYesIn(extra: Extra | undefined): Date | undefined {
  const times = [storedTime(consentIn(extra)?.confirmedAt), stillInterestedIn(extra)]
  return times
    .filter((at) => at !== undefined)
    .toSorted((a, b) => Number(a) - Number(b))
    .at(-1)
}

/** When they last answered so to a letter. */
function stillInterestedIn(extra: Extra | undefined): Date | undefined {
  return storedTime(extra?.stillInterested)
}

/** The fields with a later answer in them; as they were where there is no space for it. */
export function withStillInterested(extra: Extra | undefined, at: Date): Extra {
  return withFields(extra, { stillInterested: at.toISOString() })
}

/** The fields with a reply to the question. @param isLate whether one that is known may be newer. */
export function withReply(extra: Extra, reply: string, at: Date, isLate: boolean): Extra {
  const known = storedTime(extra.repliedAt)
  if (isLate && known && known >= at) return extra
  return withFields(extra, { answer: reply, repliedAt: at.toISOString() })
}

const LONGEST_EVIDENCE = 500

/**
 * What another tool noted of a consent, as its file says it, in a line. It is no receipt of ours.
 */
export function evidenceIn(extra: Extra | undefined): string | undefined {
  const line = extra?.evidence
  return typeof line === 'string' && line !== '' ? plainLine(line, LONGEST_EVIDENCE) : undefined
}
