import { shareOf } from '../../../shared/conversion.ts'
import { grouped, percent } from '../../../shared/counted.ts'
import places from '../../../shared/places.json' with { type: 'json' }
import type { SourceCounts, Span, TodayState } from '../../contract/today.ts'
import { Foreign } from '../parts/foreign.tsx'
import { Section } from '../parts/section.tsx'
import { type Column, type Sort, sortFrom, sortInWords, Table } from '../parts/table.tsx'
import { PlacesBeneath } from '../places-beneath.tsx'
import { addressOf } from './address.ts'

interface SourcesProps {
  readonly state: TodayState
  readonly span: Span
  readonly sort: string
}

const SHOWN = 12
const names = new Map(Object.entries(places).map(([name, word]) => [word, name]))

/** The sources of visitors, with visits and sign-ups. */
export function Sources({ state, span, sort: word }: SourcesProps) {
  const sort = sortFrom(word, [...sortable], { key: 'signUps', isDescending: true })
  const led = state.sources.filter(({ kind }) => kind !== 'campaign' && kind !== 'medium')
  const campaigns = state.sources.filter(({ kind }) => kind === 'campaign')
  const hrefOf = (next: Sort) => addressOf({ span, sort: sortInWords(next) })
  return (
    <Section title="Where they come from" aside="last 30 days" className="sources-table">
      {led.length === 0 ? (
        <p className="pad quiet">Sources are shown from the first visit on.</p>
      ) : (
        <SourceTable caption="Sources" head="Source" rows={led} sort={sort} hrefOf={hrefOf} />
      )}
      {campaigns.length > 0 && (
        <SourceTable
          caption="Campaigns"
          head="Campaign"
          rows={campaigns}
          sort={sort}
          hrefOf={hrefOf}
        />
      )}
      <div className="pad">
        <PlacesBeneath place="today" />
      </div>
    </Section>
  )
}

interface SourceTableProps {
  readonly caption: string
  /** How one of them is called. */
  readonly head: string
  readonly rows: readonly SourceCounts[]
  readonly sort: Sort
  readonly hrefOf: (sort: Sort) => string
}

const keys = ['name', 'visits', 'signUps', 'share'] as const
const sortable: ReadonlySet<string> = new Set(keys)

function SourceTable({ caption, head, rows, sort, hrefOf }: SourceTableProps) {
  const most = Math.max(1, ...rows.map(({ signUps }) => signUps ?? 0))
  const columns: Column<SourceCounts>[] = [
    { key: 'name', head, cell: named },
    { key: 'visits', head: 'Visits', cell: ({ visits }) => grouped(visits), isNumber: true },
    {
      key: 'signUps',
      head: 'Sign-ups',
      isNumber: true,
      cell: ({ signUps }) => (signUps === null ? '–' : grouped(signUps)),
    },
    {
      key: 'bar',
      head: <span className="visually-hidden">Sign-ups, as a bar</span>,
      isWideOnly: true,
      cell: ({ signUps }) => (
        <svg className="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
          <rect width={Math.round((1000 * (signUps ?? 0)) / most) / 10} height="1" />
        </svg>
      ),
    },
    {
      key: 'share',
      head: 'Conversion',
      isNumber: true,
      cell: (row) => {
        const share = shareIn(row)
        return share === null ? '–' : percent(share)
      },
    },
  ]
  return (
    <Table
      caption={caption}
      columns={columns.map((column) => ({ ...column, isSortable: sortable.has(column.key) }))}
      rows={inOrder(rows, sort).slice(0, SHOWN)}
      keyOf={({ kind, name }) => `${kind} ${name}`}
      sort={sort}
      hrefOf={hrefOf}
    />
  )
}

function named({ kind, name }: SourceCounts) {
  if (kind === 'none') return 'direct'
  if (kind === 'rest') return 'others'
  const known = kind === 'source' ? names.get(name) : undefined
  if (!known) return <Foreign text={name} />
  return (
    <>
      {known} <span className="tag">{name}</span>
    </>
  )
}

function shareIn({ visits, signUps }: SourceCounts): number | null {
  return signUps === null ? null : shareOf(signUps, visits)
}

function inOrder(rows: readonly SourceCounts[], { key, isDescending }: Sort): SourceCounts[] {
  const value = (row: SourceCounts): number | string => {
    if (key === 'name') return (names.get(row.name) ?? (row.name || row.kind)).toLowerCase()
    if (key === 'share') return shareIn(row) ?? -1
    return (key === 'visits' ? row.visits : row.signUps) ?? -1
  }
  const sign = isDescending ? -1 : 1
  return rows.toSorted((a, b) => {
    const [one, other] = [value(a), value(b)]
    if (one === other) return b.visits - a.visits
    return one < other ? -sign : sign
  })
}
