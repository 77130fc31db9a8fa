import { grouped, percent } from './counted.ts'
import { duration } from './duration.ts'
import { say, translated } from './say.ts'

/**
 * What a person at the terminal, a program and a person at the desk are told, as one value. It is made
 * once, in `src/report/makers`; `src/report` draws it for the terminal and as JSON, and
 * `src/desk/page/report` in a browser. All of it is JSON.
 */
export interface Report {
  readonly title: string
  /** In the order in which they are read. */
  readonly parts: readonly Part[]
}

export type Part = Figures | Table | Notes | History | Acts

export type Value = string | number | boolean | null

/** By names; what programs are told of a figure or a note, besides its words. */
export type Data = Readonly<Record<string, unknown>>

/** What a value is: a time in ISO 8601, a duration in milliseconds, a text of ours, or one from outside. */
export type Kind =
  | 'count'
  | 'percent'
  | 'time'
  | 'duration'
  | 'text'
  | 'foreign'
  | 'email'
  | 'standing'

export interface Figures {
  readonly part: 'figures'
  readonly figures: readonly Figure[]
}

export interface Figure {
  /** Its field in JSON. */
  readonly name: string
  readonly label: string
  /** `null` for what is not known. */
  readonly value: Value
  /** `count`, if not given. */
  readonly kind?: Kind
  /** What it is a share of: `of 4,000 told`. */
  readonly of?: { readonly all: number; readonly what: string }
  readonly remark?: string
  /** What the remark puts into words, for programs. */
  readonly data?: Data
  /** The one that the report is about. */
  readonly isLead?: boolean
  readonly act?: Act
}

/** What `status` has of a feature: figures of its own with a table beneath, and how it stands, beside the page. */
export interface InStatus {
  readonly figures?: readonly Figure[]
  readonly states?: readonly Figure[]
  readonly table?: Table
}

/** Without a row it takes no space. */
export interface Table {
  readonly part: 'table'
  /** Its field in JSON. */
  readonly name: string
  readonly title: string
  /** The first one names the row, and has the title as its head. */
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  /** How many rows are shown at first. */
  readonly most: number
  /** The column that a terminal draws as a chart by day, in the place of rows. */
  readonly chart?: string
  /** How many there are besides, where not all were sent. */
  readonly left?: number
  /** What can be done with a row. */
  readonly act?: Act
}

export type Row = Readonly<Record<string, Value | undefined>>

export interface Column {
  /** Its field in JSON. */
  readonly name: string
  readonly head?: string
  /** `count`, if not given. */
  readonly kind?: Kind
  /** A value that is a code, in words. */
  readonly words?: Readonly<Record<string, string>>
  /** Said of a row without this value. */
  readonly without?: string
  /** The column that it is a share of. */
  readonly of?: string
  /** Drawn as a bar too, beside the longest one. */
  readonly isBar?: boolean
  /** Left out where there is little space. */
  readonly isDetail?: boolean
}

export interface Notes {
  readonly part: 'notes'
  readonly notes: readonly Note[]
}

export interface Note {
  readonly code: string
  /** What it is about, before the text. */
  readonly label?: string
  readonly text: string
  /** The time that belongs to it, in ISO 8601. */
  readonly at?: string
  /** What the text puts into words, for programs. */
  readonly data?: Data
  /** Left out for what is neither good nor bad. What is good is shown only where everything is. */
  readonly weight?: 'good' | 'look' | 'bad'
  readonly act?: Act
}

/** What happened, the newest first. */
export interface History {
  readonly part: 'history'
  /** Its field in JSON. */
  readonly name: string
  readonly title: string
  readonly moments: readonly Moment[]
}

export interface Moment {
  readonly code: string
  /** In ISO 8601. */
  readonly at: string
  readonly title: string
  /** Its dot: a standing, or the status of a delivery. */
  readonly mark?: string
  readonly lines?: readonly string[]
  /** Words of a page or a mail server. */
  readonly quote?: string | undefined
  /** What the words say, for programs. */
  readonly data?: Data
}

/** What can be done with what a report is about. */
export interface Acts {
  readonly part: 'acts'
  readonly title: string
  readonly acts: readonly Act[]
}

/** What can be done: a command at the terminal; what the desk has for its code, there. */
export interface Act {
  readonly code: string
  readonly words: string
  /**
   * After our tool's name; `<email>` stands for the value of that name, of a table's row or a note's data.
   * Left out for what is done at the desk alone.
   */
  readonly command?: string
  /** The value of a row that keeps it from being done, where it is true, and why. */
  readonly unless?: readonly [name: string, why: string]
  /** What it comes to. */
  readonly remark?: string
  /** Whether the page of the desk that shows it does it. */
  readonly isHere?: true
}

/** A figure of nothing takes no space, unless the report is about it. */
export const isShown = ({ value, isLead }: Figure) =>
  isLead === true || (value !== null && value !== 0 && value !== '')

/** The figure at the head of a report. */
export const leadOf = ({ parts }: Report) =>
  parts.flatMap((part) => (part.part === 'figures' ? part.figures : [])).find((one) => one.isLead)

/** Of fewer people, their number says more than a share. */
const FEWEST_FOR_A_SHARE = 20

/** `3 %`, or nothing where the number says more, or is none of these. */
export function shareInWords(value: unknown, all: unknown): string {
  const isShare = typeof value === 'number' && value <= Number(all)
  if (!isShare || Number(all) < FEWEST_FOR_A_SHARE) return ''
  return percent((100 * value) / Number(all))
}

/** A value that is no time: each face has its own clock. */
export function valueInWords(value: Value, kind: Kind = 'count'): string {
  if (typeof value !== 'number') return value === null ? '' : String(value)
  if (kind === 'percent') return percent(value)
  return kind === 'duration' ? duration(value / 1000) : grouped(value)
}

/** What stands beside a figure: `of 4,000 told, 3 %, half of them within 2 h`. */
export function besideFigure({ value, of, remark }: Figure): string {
  const share = of?.all
    ? [say('of {all} {what}', { all: grouped(of.all), what: of.what }), shareInWords(value, of.all)]
    : []
  return [...share, remark].filter(Boolean).join(', ')
}

/** The columns of a table: the first one, and those that have a value. */
export const columnsOf = ({ columns, rows }: Table) =>
  columns.filter(({ name }, at) => at === 0 || rows.some((row) => (row[name] ?? null) !== null))

/** A value of the kind `time`. */
export const timeValue = (at: number | undefined) =>
  at === undefined ? null : new Date(at).toISOString()

/** What is drawn of a row's value. */
export function cellOf(row: Row, { name, kind, words = {}, without = '' }: Column): Drawn {
  const value = row[name]
  if (value === undefined || value === null) return { value: without, kind: 'text' }
  // One from outside may have the name of what each object has.
  const isWord = Object.hasOwn(words, String(value))
  return { value: (isWord && translated(words[String(value)] ?? '')) || value, kind }
}

export interface Drawn {
  readonly value: Value
  readonly kind?: Kind | undefined
}

/** How long a bar is beside the longest one. */
export const barOf = (row: Row, { name }: Column, rows: readonly Row[]) =>
  Number(row[name]) / Math.max(...rows.map((one) => Number(one[name])))

/** What an act does to a row, or for a note: its command, and the values in it. Without its value a name stays. */
export function actOn({ command = '' }: Act, of: Data = {}) {
  const values: Record<string, string> = {}
  const filled = command.replace(/<(\w+)>/g, (name, field) => {
    if (of[field] === undefined) return name
    values[field] = String(of[field])
    return values[field]
  })
  return { command: filled, values }
}

/** What stands between a note and what can be done for it. */
export const beforeAct = ({ text, at }: Note) =>
  at !== undefined || /[^.;:]$/.test(text) ? '. ' : ' '
