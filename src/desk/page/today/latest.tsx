import places from '../../../shared/places.json' with { type: 'json' }
import { deskPaths } from '../../contract/pages.ts'
import type { LatestSignUp, TodayState } from '../../contract/today.ts'
import { Foreign } from '../parts/foreign.tsx'
import { Section } from '../parts/section.tsx'
import { sourceless } from '../parts/sourceless.ts'
import { StandingMark } from '../parts/standing-mark.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Age } from '../parts/time.tsx'

const words: ReadonlySet<string> = new Set(Object.values(places))

/** The latest sign-ups. */
export function Latest({ state }: { readonly state: TodayState }) {
  const columns: Column<LatestSignUp>[] = [
    {
      key: 'email',
      head: 'Address',
      cell: ({ id, email }) => (
        <a href={`${deskPaths.people}/${id}`}>
          <Foreign text={email} />
        </a>
      ),
    },
    {
      key: 'standing',
      head: 'Standing',
      cell: ({ standing }) => <StandingMark standing={standing} />,
    },
    {
      key: 'source',
      head: 'Source',
      isWideOnly: true,
      cell: (one) => <span className="quiet">{sourceIn(one)}</span>,
    },
    {
      key: 'age',
      head: 'Age',
      isNumber: true,
      cell: ({ at }) => (
        <span className="quiet">
          <Age at={at} now={state.at} />
        </span>
      ),
    },
  ]
  return (
    <Section title="Latest" aside={<a href={deskPaths.people}>all people →</a>}>
      {state.latest.length === 0 ? (
        <p className="pad quiet">
          {state.trouble === undefined
            ? 'Nobody signed up yet.'
            : 'Addresses appear again when the store can be reached.'}
        </p>
      ) : (
        <Table
          caption="The latest sign-ups"
          columns={columns}
          rows={state.latest}
          keyOf={({ id }) => id}
        />
      )}
    </Section>
  )
}

function sourceIn(one: LatestSignUp) {
  const { source } = one
  if (one.isImported || source === undefined) return sourceless(one)
  return words.has(source) ? source : <Foreign text={source} />
}
