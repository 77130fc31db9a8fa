import { grouped } from '../../../shared/counted.ts'
import {
  barOf,
  type Column,
  cellOf,
  columnsOf,
  type Row,
  shareInWords,
  type Table,
} from '../../../shared/report.ts'
import { say } from '../../../shared/say.ts'
import * as parts from '../parts/table.tsx'
import { Age } from '../parts/time.tsx'
import { ActOf } from './act.tsx'
import { Shown } from './value.tsx'

/** A table of a report, with the rest of its rows behind a click. */
export function ReportTable(table: Table) {
  const { title, rows, most, left = 0 } = table
  const rest = rows.slice(most)
  const more = rest.length + left > 0 && say('{rows} more', { rows: grouped(rest.length + left) })
  return (
    <section className="section">
      <Rows {...table} rows={rows.slice(0, most)} head={<h2>{title}</h2>} />
      {rest.length > 0 ? (
        <details className="after-4">
          <summary className="note">{more}</summary>
          <Rows {...table} rows={rest} head={unseen(title)} />
        </details>
      ) : (
        more && <p className="note after-4">{more}</p>
      )}
    </section>
  )
}

/** The head of a column that says what it is. */
const unseen = (words: string) => <span className="visually-hidden">{words}</span>

function Rows({ head, ...table }: Table & { readonly head: React.ReactNode }) {
  const { title, rows, act } = table
  const [first, ...others] = columnsOf(table).flatMap((column) => drawn(column, rows))
  if (!first) return null
  const acts: readonly parts.Column<Row>[] = act
    ? [{ key: 'act', head: unseen(act.words), cell: (row) => <ActOf {...act} row={row} /> }]
    : []
  return (
    <parts.Table
      caption={title}
      columns={[{ ...first, head }, ...others, ...acts]}
      rows={rows}
      keyOf={(row) => JSON.stringify(row)}
    />
  )
}

/** A share and a bar stand in columns of their own. */
function drawn(column: Column, rows: readonly Row[]): parts.Column<Row>[] {
  const { name, head, kind = 'count', of, isBar, isDetail = false } = column
  const value: parts.Column<Row> = {
    key: name,
    head,
    isNumber: kind === 'count' || kind === 'duration' || kind === 'time',
    isWideOnly: isDetail,
    cell: (row) =>
      kind === 'time' ? (
        <Age at={Date.parse(String(row[name]))} />
      ) : (
        <Shown {...cellOf(row, column)} id={row.id} />
      ),
  }
  const share = (row: Row) => shareInWords(row[name], row[of ?? ''])
  const bar = (row: Row) => <meter value={barOf(row, column, rows)} />
  return [
    value,
    ...(of
      ? [{ key: `${name} share`, head: unseen(say('Share')), isNumber: true, cell: share }]
      : []),
    ...(isBar ? [{ key: `${name} bar`, head: unseen(say('Bar')), cell: bar }] : []),
  ]
}
