import { say } from '../../../shared/say.ts'
import { deskPaths } from '../../contract/pages.ts'
import { type PersonRow, sourceless } from '../../contract/people.ts'
import { Foreign } from '../parts/foreign.tsx'
import { StandingMark } from '../parts/standing-mark.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Age, Time } from '../parts/time.tsx'
import { Address } from './address.tsx'

interface PeopleTableProps {
  readonly people: readonly PersonRow[]
  /** What is marked in the addresses. */
  readonly part: string
}

export function PeopleTable({ people, part }: PeopleTableProps) {
  const columns: Column<PersonRow>[] = [
    {
      key: 'email',
      head: say('Address'),
      cell: (row) => (
        <div className="person-cell">
          <a href={`${deskPaths.people}/${row.id}`} title={row.email}>
            <Address email={row.email} part={part} />
          </a>
          {row.signs.length > 0 && <p className="tag signs">{row.signs.join(' · ')}</p>}
          <p className="tag narrow-only row">
            <StandingMark standing={row.standing} />
            {row.source !== null && <Foreign text={row.source} />}
            <Age at={row.subscribedAt} />
          </p>
        </div>
      ),
    },
    {
      key: 'standing',
      head: say('Standing'),
      isWideOnly: true,
      cell: ({ standing }) => <StandingMark standing={standing} />,
    },
    {
      key: 'source',
      head: say('Source'),
      isWideOnly: true,
      cell: (row) =>
        row.source !== null ? (
          <Foreign text={row.source} />
        ) : (
          <span className="faint">{sourceless(row)}</span>
        ),
    },
    {
      key: 'at',
      head: say('Signed up'),
      isNumber: true,
      isWideOnly: true,
      cell: ({ subscribedAt }) => <Time at={subscribedAt} />,
    },
  ]
  return <Table caption={say('People')} columns={columns} rows={people} keyOf={({ id }) => id} />
}
