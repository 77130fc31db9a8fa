import { fieldColumns } from '../people/known-fields.ts'
import type { Source } from '../shared/source.ts'
import words from './column-words.json' with { type: 'json' }
import evidenceColumns from './evidence-columns.json' with { type: 'json' }
import { type NamedColumn, refused } from './problems.ts'
import { plainWord } from './row-standing.ts'
import { type ColumnKind, columnKind } from './standing-columns.ts'

/** Columns chosen by the operator: by name, or by number from 1. */
export interface NamedColumns {
  readonly emailColumn?: string
  /** `none` if the time of the import is to count. */
  readonly timeColumn?: string
  /** `none` if what looks like one means something else; `=left` or `=agreed` at its end: what a yes says. */
  readonly statusColumn?: string | readonly string[]
  /** Columns that are not read, whatever their names say. */
  readonly ignoreColumn?: readonly string[]
  /** The rows are accounts of a product: nothing in them says who may be written to. */
  readonly areAccounts?: boolean
}

/** A column that says who may be written to. */
export interface StandingColumn extends ColumnKind {
  readonly at: number
  readonly name: string
}

/** The position of each column in a row. */
export type Columns = ReturnType<typeof columnsOf>

const evidenceNames = new Map(
  Object.entries(evidenceColumns).map(([name, tool]) => [plainWord(name), tool] as const),
)
/** A name in JSON of one of several people in a row. */
const WITHIN_LIST = /\.\d+\./
const fieldNames: Readonly<Record<string, string>> = words.names

/**
 * Recognises the columns of a file. @throws Refused if none has addresses, or if one may say who must
 * not be written to.
 */
export function columnsOf(names: readonly string[], byHand: NamedColumns) {
  const header = headerOf(names, byHand.ignoreColumn)
  const { plain, known, named } = header
  const byPart = plain.findIndex(
    (name, at) => name.includes('mail') && !columnKind(name) && !WITHIN_LIST.test(names[at] ?? ''),
  )
  const [email = byPart] = named('email', byHand.emailColumn) ?? known(words.names.email)
  if (email < 0) throw refused({ code: 'no-address-column' })
  const { timeColumn } = byHand
  const withTimes = known(words.names.time)
  // The first one that is filled counts.
  const times = timeColumn === 'none' ? [] : (named('time', timeColumn) ?? withTimes)
  const single = {
    // Of our own export.
    standingAt: plain.indexOf('standingat'),
    detail: plain.indexOf('detail'),
    extra: plain.indexOf('extra'),
    // As our export and the links of other tools name them.
    source: sourceColumn('source', plain),
    medium: sourceColumn('medium', plain),
    campaign: sourceColumn('campaign', plain),
  }
  const fields = fieldColumns.map((field) => ({
    ...field,
    at: known(fieldNames[field.name] ?? field.name)[0] ?? -1,
  }))
  // What the tool that wrote the file noted of a consent; the tool is empty where many have the name.
  const evidence = plain.flatMap((name, at) => {
    const tool = evidenceNames.get(name)
    // Our own file for a tool has that tool's names, and never was there.
    return tool !== undefined && !plain.includes('standing') ? [{ at, tool }] : []
  })
  const read = [email, ...times, ...withTimes, ...Object.values(single)]
  const others = [...read, ...[...evidence, ...fields].map(({ at }) => at)]
  const standings = byHand.areAccounts ? [] : standingColumns(header, byHand.statusColumn, others)
  const used = [...new Set([...others, ...standings.map(({ at }) => at)])]
  const ignored = names.filter((name, at) => !used.includes(at) && name !== '')
  return { email, times, standings, ...single, fields, evidence, ignored, used }
}

type Header = ReturnType<typeof headerOf>

/** The names of a file's columns, and how one is found among them. */
function headerOf(names: readonly string[], ignored: readonly string[] = []) {
  const all = names.map(plainName)
  const position = (column: NamedColumn, name: string) => positionOf(column, name, all, names)
  const passedOver = ignored.map((name) => position('ignore', name))
  /** In lower case; empty for what is not read. */
  const plain = all.map((name, at) => (passedOver.includes(at) ? '' : name))
  return {
    names,
    plain,
    position,
    named: (column: NamedColumn, name: string | undefined) =>
      name === undefined ? undefined : [position(column, name)],
    /** The positions of names in a list, in the list's order. */
    known: (list: string) =>
      list
        .split(' ')
        .map(plainWord)
        .flatMap((name) => plain.flatMap((one, at) => (one === name ? [at] : []))),
  }
}

/**
 * The columns that say who may be written to.
 *
 * @param read those that are read for something else, which only a name that is known overrules.
 * @throws Refused for names that may say so, until the operator says what they mean.
 */
function standingColumns(
  { names, plain, position }: Header,
  chosen: NamedColumns['statusColumn'] = [],
  read: readonly number[],
): StandingColumn[] {
  const given = [chosen].flat()
  const isNone = given[0] === 'none'
  const meant = new Map(
    (isNone ? [] : given).map((one) => {
      const [, name = one, says] = /^(.+)=(left|agreed)$/s.exec(one) ?? []
      return [position('status', name), says as ColumnKind['says'] | undefined]
    }),
  )
  // `type` is the standing at Buttondown alone; other services use the name for other things.
  const isButtondown = plain.includes('creationdate')
  const unclear: string[] = []
  const found = names.flatMap((name, at): StandingColumn[] => {
    const known = columnKind(isButtondown && plain[at] === 'type' ? 'status' : (plain[at] ?? ''))
    const kind = known === 'unclear' ? undefined : known
    const standing = kind?.standing ?? 'unsubscribed'
    if (meant.has(at))
      return [{ says: meant.get(at) ?? kind?.says ?? 'status', standing, at, name }]
    // The operator said where it stands.
    if (known === 'unclear' && given.length === 0 && !read.includes(at)) unclear.push(name)
    const isOther = given.length > 0 && kind?.says === 'status'
    return !kind || isOther || (isNone && kind.says === 'agreed') ? [] : [{ ...kind, at, name }]
  })
  if (unclear.length > 0) throw refused({ code: 'unread-columns', names: unclear })
  return found
}

/**
 * By the name of the link's tag; by a plain name only in our own export, since others mean other
 * things by it.
 */
function sourceColumn(field: keyof Source, plain: readonly string[]): number {
  const tagged = plain.indexOf(`utm${field}`)
  return tagged < 0 && isOurExport(plain) ? plain.indexOf(field) : tagged
}

/** Without what stands in brackets at its end, such as `(UTC)`, and without the parts of a time in JSON. */
const plainName = (name: string) =>
  plainWord(name.replace(/(?<=\S)(?:\s*\([^()]*\)\s*|\.(?:_?(?:nano)?seconds|\$date))$/, ''))

function isOurExport([first, second]: readonly string[]): boolean {
  return first === 'email' && second === 'subscribedat'
}

function positionOf(
  column: NamedColumn,
  name: string,
  plain: readonly string[],
  names: readonly string[],
): number {
  const at = plain.indexOf(plainName(name))
  if (at >= 0) return at
  const number = /^\d{1,4}$/.test(name) ? Number(name) - 1 : -1
  if (number >= 0 && number < names.length) return number
  throw refused({ code: 'no-such-column', column, name, names })
}

/** @returns the names of the read and of the ignored columns; nothing of our own export, which needs no remark. */
export function columnsRead(columns: Columns, names: readonly string[]) {
  const { email, times, standings, evidence, fields, ignored } = columns
  if (isOurExport(names.map(plainWord)) && ignored.length === 0) return undefined
  const named = (...all: readonly number[]) => all.flatMap((at) => names[at] ?? [])
  return {
    email: named(email),
    times: named(...times),
    standings: standings.map(({ name }) => name),
    evidence: named(...evidence.map(({ at }) => at)),
    fields: fields.map(({ term, at }) => ({ term, names: named(at) })),
    sources: named(columns.source, columns.medium, columns.campaign),
    ignored,
  }
}

export type ColumnsRead = NonNullable<ReturnType<typeof columnsRead>>
