import { grouped } from '../../shared/counted.ts'
import {
  type Bringer,
  type HeldDay,
  heldReasons,
  refusalReasons,
  refusals,
} from '../../shared/referral-counts.ts'
import { deskPaths, type ReferralsPage } from '../contract/pages.ts'
import { Button } from './parts/button.tsx'
import { Definition, Definitions } from './parts/definitions.tsx'
import { Section } from './parts/section.tsx'
import { type Column, Table } from './parts/table.tsx'
import { Address } from './people/address.tsx'
import { PostForm } from './post-form.tsx'
import { useShell } from './view.ts'

/** How many held days are shown. */
const SHOWN = 50

/** Who brought friends by their personal link, and what of that counts or is held. */
export function Referrals({ counts }: ReferralsPage) {
  const { links, used, asked, confirmed, credited, held, refused, heldDays, bringers } = counts
  const { now } = useShell()
  return (
    <div>
      <p className="note after-6">Friends who count</p>
      <h1 className="large">{grouped(credited)}</h1>
      <div className="columns over after-6">
        <Section title="Personal links">
          <Definitions>
            <Definition term="Links">
              {grouped(links)}, of which {grouped(used)} brought somebody
            </Definition>
            <Definition term="Friends yet to confirm">{grouped(asked)}</Definition>
            <Definition term="Friends who confirmed">{grouped(confirmed)}</Definition>
            <Definition term="Friends held">{grouped(held)}</Definition>
            {refusals
              .filter((why) => refused[why] > 0)
              .map((why) => (
                <Definition key={why} term="Friends who do not count">
                  {grouped(refused[why])} {refusalReasons[why]}
                </Definition>
              ))}
          </Definitions>
        </Section>
        <Section title="Who brought the most">
          {bringers.length === 0 ? (
            <p className="quiet after-2">Nobody yet.</p>
          ) : (
            <Table
              caption="Who brought the most"
              columns={most}
              rows={bringers}
              keyOf={({ email }) => email}
            />
          )}
        </Section>
      </div>
      {heldDays.length > 0 && (
        <Section title="Held">
          <p className="quiet after-2">
            These friends are on the list like everybody else. They count for the link once you
            press Count them.
          </p>
          <Table
            caption="Held"
            columns={heldColumns(new Date(now).toISOString().slice(0, 10))}
            rows={heldDays.slice(0, SHOWN)}
            keyOf={({ email, day, why }) => `${email} ${day} ${why}`}
          />
        </Section>
      )}
      <p className="after-5">
        <a href={deskPaths.people}>Back to the people</a>
      </p>
    </div>
  )
}

const most: readonly Column<Bringer>[] = [
  { key: 'email', head: 'Person', cell: ({ email }) => <Address email={email} /> },
  { key: 'friends', head: 'Friends', isNumber: true, cell: ({ credited }) => grouped(credited) },
]

/** @param today in UTC: more friends may come. */
const heldColumns = (today: string): readonly Column<HeldDay>[] => [
  { key: 'email', head: 'Link of', cell: ({ email }) => <Address email={email} /> },
  { key: 'day', head: 'Day (UTC)', cell: ({ day }) => day },
  { key: 'number', head: 'Friends', isNumber: true, cell: ({ number }) => grouped(number) },
  {
    key: 'why',
    head: 'Why',
    isWideOnly: true,
    cell: ({ why }) => heldReasons[why],
  },
  {
    key: 'let',
    head: '',
    cell: ({ email, day }) =>
      day >= today ? (
        'once the day is over'
      ) : (
        <PostForm action={deskPaths.referrals} values={{ email, day }}>
          <Button>Count them</Button>
        </PostForm>
      ),
  },
]
