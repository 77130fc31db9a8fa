import type { Source } from '../shared/source.ts'
import type { Departure } from '../store/standing.ts'
import evidenceColumns from './evidence-columns.json' with { type: 'json' }
import { type NamedColumn, refused } from './problems.ts'
import { leftColumns, plainWord } from './row-standing.ts'

/** Columns chosen by the operator: by name, or by number from 1. */
export interface NamedColumns {
  readonly emailColumn?: string
  /** `none` if the time of the import is to count. */
  readonly timeColumn?: string
  /** `none` if the column of that name means something else. */
  readonly statusColumn?: string
  /** With replies to the question of the page; none is known by its name. */
  readonly replyColumn?: string
}

/** The position of each column in a row. */
export interface Columns {
  readonly email: number
  /** The first one that is filled counts. */
  readonly times: readonly number[]
  readonly standings: readonly { readonly at: number; readonly isVerdictOnMailbox: boolean }[]
  readonly left: readonly { readonly at: number; readonly standing: Departure }[]
  /** Further columns of our own export. */
  readonly standingAt: number
  readonly detail: number
  readonly extra: number
  /** The source, as our export and the links of other tools name it. */
  readonly source: number
  readonly medium: number
  readonly campaign: number
  readonly language: number
  readonly firstName: number
  readonly reply: number
  /** What the tool that wrote the file noted of a consent; the tool is empty where many have the name. */
  readonly evidence: readonly { readonly at: number; readonly tool: string }[]
  readonly ignored: readonly string[]
  /** All that are read. */
  readonly used: readonly number[]
}

const evidenceNames = new Map(Object.entries(evidenceColumns))
const emailNames =
  'email emailaddress mail emailadresse useremail subscriberemail recipient address'
const timeNames =
  'subscribedat optintime optintimestamp signedupat signupdate signuptime signupat signeduptime ' +
  'joinedat createdat creationdate datecreated created addedtime addedat dateadded dateregistered ' +
  'subscribedon subscribeddate subscriptiondate submittedat registeredat joined timestamp date ' +
  'confirmtime confirmedat'
const standingNames =
  'standing status state subscribertype subscriptionstatus subscriberstatus emailstatus ' +
  'subscribedtoemails subscribed deliverability'

const languageNames = 'language locale lang'
const firstNameNames = 'firstname fname givenname vorname prénom prenom nombre nome 名'

/** Recognises the columns of a file. @throws Refused if none has addresses. */
export function columnsOf(names: readonly string[], byHand: NamedColumns): Columns {
  const plain = names.map(plainWord)
  const known = (list: string) =>
    list.split(' ').flatMap((name) => plain.flatMap((one, at) => (one === name ? [at] : [])))
  const named = (column: NamedColumn, name: string | undefined) =>
    name === undefined ? undefined : [positionOf(column, name, plain, names)]

  const [email] = named('email', byHand.emailColumn) ?? known(emailNames)
  if (email === undefined) throw refused({ code: 'no-address-column' })
  const { timeColumn, statusColumn } = byHand
  const times = timeColumn === 'none' ? [] : (named('time', timeColumn) ?? known(timeNames))
  // `type` is the standing at Buttondown alone; other services use the name for other things.
  const standingColumns = plain.includes('creationdate') ? `${standingNames} type` : standingNames
  const standings =
    statusColumn === 'none' ? [] : (named('status', statusColumn) ?? known(standingColumns))
  const left = plain.flatMap((name, at) => {
    const standing = leftColumns.get(name)
    return standing ? [{ at, standing }] : []
  })
  const ours = {
    standingAt: plain.indexOf('standingat'),
    detail: plain.indexOf('detail'),
    extra: plain.indexOf('extra'),
    source: sourceColumn('source', plain),
    medium: sourceColumn('medium', plain),
    campaign: sourceColumn('campaign', plain),
    language: known(languageNames)[0] ?? -1,
    firstName: known(firstNameNames)[0] ?? -1,
    reply: named('reply', byHand.replyColumn)?.[0] ?? -1,
  }
  const evidence = plain.flatMap((name, at) => {
    const tool = evidenceNames.get(name)
    // Our own file for a tool has that tool's names, and never was there.
    return tool !== undefined && !plain.includes('standing') ? [{ at, tool }] : []
  })
  const more = [...left, ...evidence].map(({ at }) => at)
  const used = new Set([email, ...times, ...standings, ...more])
  for (const at of Object.values(ours)) used.add(at)
  return {
    email,
    times,
    standings: standings.map((at) => ({ at, isVerdictOnMailbox: plain[at] === 'deliverability' })),
    left,
    ...ours,
    evidence,
    ignored: names.filter((name, i) => !used.has(i) && name !== ''),
    used: [...used],
  }
}

/**
 * By the name of the link's tag; by a plain name only in our own export, since others mean other
 * things by it.
 */
function sourceColumn(field: keyof Source, plain: readonly string[]): number {
  const tagged = plain.indexOf(`utm${field}`)
  return tagged < 0 && isOurExport(plain) ? plain.indexOf(field) : tagged
}

function isOurExport([first, second]: readonly string[]): boolean {
  return first === 'email' && second === 'subscribedat'
}

function positionOf(
  column: NamedColumn,
  name: string,
  plain: readonly string[],
  names: readonly string[],
): number {
  const at = plain.indexOf(plainWord(name))
  if (at >= 0) return at
  const number = /^\d{1,4}$/.test(name) ? Number(name) - 1 : -1
  if (number >= 0 && number < names.length) return number
  throw refused({ code: 'no-such-column', column, name, names })
}

/** The names of the read and of the ignored columns. */
export interface ColumnsRead {
  readonly email: string
  readonly times: readonly string[]
  readonly standings: readonly string[]
  readonly evidence: readonly string[]
  readonly reply?: string | undefined
  readonly firstName?: string | undefined
  readonly language?: string | undefined
  /** Where people came from: source, medium and campaign. */
  readonly sources: readonly string[]
  readonly ignored: readonly string[]
}

/** @returns `undefined` for our own export, which needs no remark. */
export function columnsRead(columns: Columns, names: readonly string[]): ColumnsRead | undefined {
  const { email, times, standings, left, firstName, language, reply, ignored } = columns
  if (isOurExport(names.map(plainWord)) && ignored.length === 0) return undefined
  const named = (at: number) => names[at] ?? ''
  return {
    email: named(email),
    times: times.map(named),
    standings: [...standings, ...left].map(({ at }) => named(at)),
    evidence: columns.evidence.map(({ at }) => named(at)),
    reply: names[reply],
    firstName: names[firstName],
    language: names[language],
    sources: [columns.source, columns.medium, columns.campaign].flatMap((at) => names[at] ?? []),
    ignored,
  }
}
