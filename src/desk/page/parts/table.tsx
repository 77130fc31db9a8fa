import type { ReactNode } from 'react'

export interface Column<Row> {
  readonly key: string
  readonly head: ReactNode
  readonly cell: (row: Row) => ReactNode
  readonly isNumber?: boolean
  /** Left out on a phone, where another column or page says it. */
  readonly isWideOnly?: boolean
  readonly isSortable?: boolean
}

export interface Sort {
  readonly key: string
  readonly isDescending: boolean
}

interface TableProps<Row> {
  /** What the table shows, for a screen reader. */
  readonly caption: string
  /** The first one names the row. */
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly sort?: Sort
  /** The page with the rows in another order. */
  readonly hrefOf?: (sort: Sort) => string
}

/** Rows between hairlines. It sorts by links, so it needs no script. */
export function Table<Row>({ caption, columns, rows, keyOf, sort, hrefOf }: TableProps<Row>) {
  return (
    <table className="table">
      <caption className="visually-hidden">{caption}</caption>
      <thead className="note">
        <tr>
          {columns.map((column) => (
            <th
              key={column.key}
              scope="col"
              className={classOf(column)}
              aria-sort={sort?.key === column.key ? ariaSort(sort) : undefined}
            >
              {column.isSortable && hrefOf ? (
                <a className="sort" href={hrefOf(nextSort(column, sort))}>
                  {column.head}
                  {sort?.key === column.key && (
                    <span aria-hidden="true">{sort.isDescending ? ' ↓' : ' ↑'}</span>
                  )}
                </a>
              ) : (
                column.head
              )}
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

/** Figures sort from the largest first, names from the first. */
function nextSort<Row>({ key, isNumber = false }: Column<Row>, sort: Sort | undefined): Sort {
  if (sort?.key === key) return { key, isDescending: !sort.isDescending }
  return { key, isDescending: isNumber }
}

const ariaSort = ({ isDescending }: Sort) => (isDescending ? 'descending' : 'ascending')

/** `visits` for the largest first, `-visits` for the other way: as it stands in an address. */
export function sortInWords({ key, isDescending }: Sort): string {
  return isDescending ? key : `-${key}`
}

/** @param known the columns that sort. @returns `otherwise` for what is no such word. */
export function sortFrom(word: unknown, known: readonly string[], otherwise: Sort): Sort {
  if (typeof word !== 'string') return otherwise
  const isDescending = !word.startsWith('-')
  const key = isDescending ? word : word.slice(1)
  return known.includes(key) ? { key, isDescending } : otherwise
}
