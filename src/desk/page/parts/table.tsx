import type { ReactNode } from 'react'

export interface Column<Row> {
  readonly key: string
  readonly head: ReactNode
  readonly cell: (row: Row) => ReactNode
  readonly isNumber?: boolean
  /** Left out on a phone, where another column or page says it. */
  readonly isWideOnly?: boolean
}

interface TableProps<Row> {
  /** What the table shows, for a screen reader. */
  readonly caption: string
  /** The first one names the row. */
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}

/** Rows between hairlines. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <table className="table">
      <caption className="visually-hidden">{caption}</caption>
      <thead className="note">
        <tr>
          {columns.map((column) => (
            <th key={column.key} scope="col" className={classOf(column)}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column, i) =>
              i === 0 ? (
                <th key={column.key} scope="row" className={classOf(column)}>
                  {column.cell(row)}
                </th>
              ) : (
                <td key={column.key} className={classOf(column)}>
                  {column.cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function classOf({
  isNumber,
  isWideOnly,
}: Pick<Column<never>, 'isNumber' | 'isWideOnly'>): string | undefined {
  const words = [isNumber ? 'number' : '', isWideOnly ? 'wide-only' : ''].filter(Boolean)
  return words.length > 0 ? words.join(' ') : undefined
}
