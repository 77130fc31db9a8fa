import {
  type CameCount,
  type CameGroup,
  cameShare,
  uncertainInWords,
} from '../../shared/came-counts.ts'
import { grouped, percent } from '../../shared/counted.ts'
import { duration } from '../../shared/duration.ts'
import { type CamePage, deskPaths } from '../contract/pages.ts'
import { Definition, Definitions } from './parts/definitions.tsx'
import { Foreign } from './parts/foreign.tsx'
import { Section } from './parts/section.tsx'
import { type Column, Table } from './parts/table.tsx'
import { useShell } from './view.ts'

/** How many rows of a table are shown. */
const SHOWN = 12

/** Who of those told became a user: as figures, by letter, by source and by week of sign-up. */
export function Came({ figures }: CamePage) {
  const { told, uncertain, came, others, medianMs, letters, sources, answers, friends, weeks } =
    figures
  // The server names weeks, by its own clock.
  const { zone } = useShell()
  if (told + others === 0) return <Nobody />
  return (
    <div>
      <p className="note after-6">Became users</p>
      <h1 className="large">{grouped(came)}</h1>
      <div className="columns over after-6">
        <div>
          <Section title="Of those told">
            <Definitions>
              <Definition term="Told">
                {grouped(told)}
                {uncertain > 0 && `, ${uncertainInWords(uncertain)}`}
              </Definition>
              <Definition term="Became users after their letter">
                {grouped(came)}
                {share(figures) && `, ${share(figures)}`}
              </Definition>
              {medianMs !== null && (
                <Definition term={came === 1 ? 'After' : 'Half of them within'}>
                  {duration(medianMs / 1000)}
                </Definition>
              )}
              {others > 0 && (
                <Definition term="Other users on the list">
                  {grouped(others)}, who got no letter or were users before their letter
                </Definition>
              )}
            </Definitions>
          </Section>
          <Groups title="By their first letter" head="Letter" groups={letters} />
        </div>
        <div>
          <Groups title="By source" head="Source" groups={sources} unnamed="direct or imported" />
          {answers.length > 0 && (
            <Groups title="By answer" head="Answer" groups={answers} unnamed="no answer" />
          )}
          {friends.length > 0 && (
            <Groups
              title="By who brought them"
              head="Brought by"
              groups={friends}
              unnamed="nobody"
            />
          )}
          <Groups
            title={`By week of sign-up (${zone})`}
            head="From Monday"
            groups={weeks.toReversed()}
          />
        </div>
      </div>
    </div>
  )
}

const columns = (head: string, unnamed?: string): readonly Column<CameGroup>[] => [
  {
    key: 'name',
    head,
    // Ours are short, and may take a second line on a phone.
    cell: ({ name }) =>
      name === undefined || unnamed === undefined ? (name ?? unnamed) : <Foreign text={name} />,
  },
  { key: 'told', head: 'Told', isNumber: true, cell: ({ told }) => grouped(told) },
  { key: 'came', head: 'Users', isNumber: true, cell: ({ came }) => grouped(came) },
  { key: 'share', head: '', isNumber: true, cell: share },
]

interface GroupsProps {
  readonly title: string
  readonly head: string
  readonly groups: readonly CameGroup[]
  /** What those without a name are called, where names come from outside. */
  readonly unnamed?: string
}

function Groups({ title, head, groups, unnamed }: GroupsProps) {
  return (
    <Section title={title}>
      <Table
        caption={title}
        columns={columns(head, unnamed)}
        rows={groups.slice(0, SHOWN)}
        keyOf={({ name = '' }) => name}
      />
      {groups.length > SHOWN && (
        <p className="note after-4">and {grouped(groups.length - SHOWN)} more</p>
      )}
    </Section>
  )
}

function share(count: CameCount): string {
  const shared = cameShare(count)
  return shared === null ? '' : percent(shared)
}

function Nobody() {
  const { tool } = useShell()
  return (
    <Section title="Who became a user">
      <div className="narrow pad after-2">
        <p className="strong">Nobody is known to be a user yet</p>
        <p className="quiet after-1">
          Give your product's accounts to <code>{tool} came accounts.csv</code>, or let your product
          post each one as it is made. The list then notes who on it became a user, and when.
        </p>
        <p className="after-5">
          <a href={deskPaths.letters}>Back to the letters</a>
        </p>
      </div>
    </Section>
  )
}
