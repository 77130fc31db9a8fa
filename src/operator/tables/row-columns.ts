import type { Source } from '../../shared/source.ts'
import type { Departure } from '../../store/standing.ts'
import { OperatorError } from '../terminal/operator-error.ts'
import { grouped } from '../terminal/words.ts'
import { leftColumns, plainWord } from './row-standing.ts'

/** Columns chosen by the operator: by name, or by number from 1. */
export interface NamedColumns {
  readonly emailColumn?: string
  readonly timeColumn?: string
  /** `none` if the column of that name means something else. */
  readonly statusColumn?: string
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
  /** Where somebody came from, as our export and the links of other tools name it. */
  readonly source: number
  readonly medium: number
  readonly campaign: number
  readonly ignored: readonly string[]
}

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

/** Recognises the columns of a file. @throws OperatorError if none has addresses. */
export function columnsOf(names: readonly string[], byHand: NamedColumns): Columns {
  const plain = names.map(plainWord)
  const known = (list: string) =>
    list.split(' ').flatMap((name) => plain.flatMap((one, at) => (one === name ? [at] : [])))
  const named = (option: string, name: string | undefined) =>
    name === undefined ? undefined : [positionOf(option, name, plain, names)]

  const [email] = named('--email-column', byHand.emailColumn) ?? known(emailNames)
  if (email === undefined)
    throw new OperatorError(
      'The first line names no column "email", nor has it an address. Name one: --email-column',
    )
  const times = named('--time-column', byHand.timeColumn) ?? known(timeNames)
  // `type` is the standing at Buttondown alone; other services use the name for other things.
  const standingColumns = plain.includes('creationdate') ? `${standingNames} type` : standingNames
  const { statusColumn } = byHand
  const standings =
    statusColumn === 'none'
      ? []
      : (named('--status-column', statusColumn) ?? known(standingColumns))
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
  }
  const used = new Set([email, ...times, ...standings, ...left.map(({ at }) => at)])
  for (const at of Object.values(ours)) used.add(at)
  return {
    email,
    times,
    standings: standings.map((at) => ({ at, isVerdictOnMailbox: plain[at] === 'deliverability' })),
    left,
    ...ours,
    ignored: names.filter((name, i) => !used.has(i) && name !== ''),
  }
}

/** By the name of the link's tag; by a plain one in our own export alone, since others mean more by it. */
function sourceColumn(field: keyof Source, plain: readonly string[]): number {
  const tagged = plain.indexOf(`utm${field}`)
  return tagged < 0 && isOurExport(plain) ? plain.indexOf(field) : tagged
}

function isOurExport([first, second]: readonly string[]): boolean {
  return first === 'email' && second === 'subscribedat'
}

function positionOf(
  option: string,
  name: string,
  plain: readonly string[],
  names: readonly string[],
): number {
  const at = plain.indexOf(plainWord(name))
  if (at >= 0) return at
  const number = /^\d{1,4}$/.test(name) ? Number(name) - 1 : -1
  if (number >= 0 && number < names.length) return number
  throw new OperatorError(`${option}: there is no column "${name}". There is ${some(names)}.`)
}

/** A sentence on which columns are read; empty for an export of ours. */
export function columnsInWords(columns: Columns, names: readonly string[]): string | undefined {
  const { email, times, standings, left, ignored } = columns
  if (isOurExport(names.map(plainWord)) && ignored.length === 0) return undefined
  const list = (positions: readonly number[]) => some(positions.map((at) => names[at] ?? ''))
  const stands = [...standings, ...left].map(({ at }) => at)
  return [
    `Addresses from ${names[email]}`,
    times.length > 0 ? `times from ${list(times)}` : 'no time in it, so all sign up now',
    stands.length > 0 ? `standing from ${list(stands)}` : 'no standing in it',
    ...(ignored.length > 0 ? [`ignored: ${some(ignored)}`] : []),
  ].join('; ')
}

const MOST_NAMES = 30
const LONGEST_NAME = 60

/** Names as words; a file may have as many and as long ones as it likes. */
function some(names: readonly string[]): string {
  const shown = names
    .slice(0, MOST_NAMES)
    .map((name) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name))
  const others = names.length - shown.length
  return shown.join(', ') + (others > 0 ? ` and ${grouped(others)} more` : '')
}
