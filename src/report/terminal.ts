import { commandLine } from '../product/command-line.ts'
import { shortened } from '../shared/plain-line.ts'
import {
  type Act,
  type Acts,
  actOn,
  barOf,
  beforeAct,
  besideFigure,
  cellOf,
  columnsOf,
  type Data,
  type Drawn,
  type Figure,
  type History,
  isShown,
  leadOf,
  type Note,
  type Part,
  type Report,
  type Row,
  shareInWords,
  type Table,
  valueInWords,
} from '../shared/report.ts'
import { chart } from '../terminal/chart.ts'
import type { Out } from '../terminal/out.ts'
import { columns, grouped, localTime } from '../terminal/words.ts'

interface Drawing {
  readonly style: Out['style']
  /** Everything: also what is zero or good, and all rows. */
  readonly all?: boolean | undefined
}

const WIDEST_BAR = 24
/** In characters: with two numbers and a bar, a row then fits into 80. */
const LONGEST_FOREIGN = 40

/** A report for reading, with a line end. Its lead stands in the place of its title. */
export function inText(report: Report, drawing: Drawing): string {
  const title = leadOf(report) || !report.title ? [] : [drawing.style.bold(report.title)]
  const parts = report.parts.map((part) => partInText(part, drawing)).filter(Boolean)
  return `${[...title, ...parts].join('\n\n')}\n`
}

/** A part of a report, without a line end; nothing where it takes no space. */
function partInText(part: Part, drawing: Drawing): string {
  if (part.part === 'table') return tableInText(part, drawing)
  if (part.part === 'history') return historyInText(part, drawing)
  if (part.part === 'acts') return actsInText(part, drawing)
  if (part.part === 'notes') {
    const shown = part.notes.filter(({ weight }) => drawing.all || weight !== 'good')
    return shown.map((note) => noteInText(note, drawing)).join('\n')
  }
  const shown = part.figures.filter(
    (figure) => isShown(figure) || (drawing.all && figure.value !== null),
  )
  const areNumbers = shown.every(({ value }) => typeof value === 'number')
  return columns(
    shown.map((figure) => figureRow(figure, drawing)),
    areNumbers ? [1] : [],
  )
}

function historyInText({ title, moments }: History, { style }: Drawing): string {
  if (moments.length === 0) return ''
  const rows = moments.flatMap(({ at, title, lines = [], quote }) => [
    [localTime(new Date(at)), title],
    ...[...lines, ...(quote ? [`"${quote}"`] : [])].map((line) => ['', style.dim(line)]),
  ])
  return [style.bold(title), columns(rows)].join('\n')
}

function actsInText({ title, acts }: Acts, { style }: Drawing): string {
  if (acts.length === 0) return ''
  const rows = acts.map(({ words, command = '' }) => [words, commandLine(command)])
  return [style.bold(title), columns(rows)].join('\n')
}

/** The label of a figure, its value, and what stands beside it. */
function figureRow(figure: Figure, { style }: Drawing): [string, string, string] {
  const { label, isLead, act } = figure
  const shown = shownValue(figure)
  const beside = besideFigure(figure)
  return [
    label,
    isLead ? style.bold(shown) : shown,
    act?.command ? `${beside || act.words}: ${commandLine(act.command)}` : beside,
  ]
}

const inWords = (act: Act, data?: Data) => `${act.words}: ${commandLine(actOn(act, data).command)}`

const DAY_MS = 86_400_000

/** `2027-01-12 09:00, 3 days ago` */
function agoInWords(time: Date, now: Date): string {
  const days = Math.floor((now.getTime() - time.getTime()) / DAY_MS)
  if (days < 0) return `${localTime(time)}, by a clock that was ahead`
  const words = days === 0 ? 'less than a day ago' : days === 1 ? 'a day ago' : `${days} days ago`
  return `${localTime(time)}, ${words}`
}

const weights = {
  good: ['green', ''],
  look: ['yellow', 'LOOK: '],
  bad: ['red', 'PROBLEM: '],
} as const

function noteInText(note: Note, { style }: Drawing): string {
  const { label, text, at, data, weight, act } = note
  const told = [text, at && agoInWords(new Date(at), new Date())].filter(Boolean).join(' ')
  const done = act?.command && `${beforeAct(note)}${inWords(act, data)}`
  const said = `${label ? `${label}: ` : ''}${told}${done ?? ''}`
  if (!weight) return said
  const [colour, head] = weights[weight]
  return style[colour](`${head}${said}`)
}

function tableInText(table: Table, { style, all }: Drawing): string {
  const { rows, most, left = 0, act } = table
  if (table.chart) return chartInText(table, table.chart, style)
  if (rows.length === 0) return ''
  const shown = all ? rows : rows.slice(0, most)
  const drawn = drawnColumns(table, style, all ? Number.POSITIVE_INFINITY : LONGEST_FOREIGN)
  const more = rows.length - shown.length + left
  return [
    columns(
      [drawn.map(({ head }) => head), ...shown.map((row) => drawn.map(({ cell }) => cell(row)))],
      drawn.flatMap(({ isRight }, at) => (isRight ? [at] : [])),
    ),
    ...(more > 0 ? [`${grouped(more)} more: --all shows them`] : []),
    ...(act ? [inWords(act)] : []),
  ].join('\n')
}

/** The rows as columns of a chart, under the title. */
function chartInText({ title, rows, columns: [first] }: Table, of: string, style: Out['style']) {
  const from = String(rows[0]?.[first?.name ?? ''] ?? '')
  const values = rows.map((row) => Number(row[of]))
  return `${style.dim(title)}\n${chart(values, [from, 'today'])}`
}

interface DrawnColumn {
  readonly head: string
  readonly isRight: boolean
  readonly cell: (row: Row) => string
}

/** A share and a bar stand in columns of their own. */
function drawnColumns(table: Table, style: Out['style'], longest: number): DrawnColumn[] {
  const { title, rows } = table
  return columnsOf(table).flatMap((column, at) => {
    const { name, head = '', kind = 'count', of, isBar } = column
    const value: DrawnColumn = {
      head: at === 0 ? title : head,
      isRight: kind === 'count' || kind === 'duration',
      cell: (row) => {
        const shown = shownValue(cellOf(row, column))
        return kind === 'foreign' ? shortened(shown, longest) : shown
      },
    }
    const share = (row: Row) => shareInWords(row[name], row[of ?? ''])
    const bar = (row: Row) => style.green(bars(barOf(row, column, rows)))
    return [
      value,
      ...(of ? [{ head: '', isRight: true, cell: share }] : []),
      ...(isBar ? [{ head: '', isRight: false, cell: bar }] : []),
    ]
  })
}

const bars = (length: number) => '█'.repeat(Math.max(1, Math.round(length * WIDEST_BAR)))

const shownValue = ({ value, kind }: Drawn) =>
  kind === 'time' && typeof value === 'string'
    ? localTime(new Date(value))
    : valueInWords(value, kind)
