import { expect, it } from 'vitest'
import { balanceOf } from '../../../src/announcement/balance.ts'
import { type ReportOptions, reportEnd } from '../../../src/cli/announce/report.ts'
import { emptySqlite } from '../../fixtures/empty-sqlite.ts'
import { enlist } from '../../fixtures/enlist.ts'
import { listening } from '../../fixtures/spoken.ts'
import { tallyOf } from '../../fixtures/tally.ts'
import { people } from '../../store/contracts/people.ts'

const seen = { command: 'announce launch.md' }

/** The end of a run over seventy people: sixty could not be sent to, and ten wait. */
async function anEnd() {
  const store = await emptySqlite()
  await store.list.importAll(people(70))
  await store.lock.acquire({ owner: 'me', host: 'here', pid: 1 }, 60_000)
  await store.ledger.begin('me', 'launch', { subject: 'We are live', digest: 'x' })
  await enlist(store, 'me', 'launch', people(70))
  await store.ledger.countEligible('me', 'launch')
  const tried = await store.ledger.claim('me', 'launch', { limit: 60, which: 'untried' })
  const failed = { status: 'failed', tries: 1, answer: '550 no' } as const
  const rows = tried.map(({ number }) => ({ number, ...failed }))
  await store.ledger.record('me', 'launch', rows)
  const announcement = await store.ledger.findAnnouncement('launch')
  if (!announcement) throw new Error('nothing has begun')
  const balance = balanceOf(announcement, await tallyOf(store, 'launch'))
  return { store, end: { why: 'done', answer: '', announcement, balance } as const }
}

it('a file and a program get all who are without a letter and not in the queue, and a terminal fifty', async () => {
  const { store, end } = await anEnd()
  const listed = async (options: { json?: boolean; output?: string; list?: boolean }) => {
    const heard = listening()
    await reportEnd(store, end, { seen, stopShare: 1, ...options }, heard.out)
    return heard.result()
  }
  const addresses = (text: string) => text.match(/\w@/g) ?? []
  expect(addresses(await listed({ output: 'report.txt' }))).toHaveLength(60)
  expect(addresses(await listed({ json: true }))).toHaveLength(60)
  const shown = await listed({})
  expect(addresses(shown)).toHaveLength(50)
  expect(shown).toMatch(
    /^60 people without the letter\. All of them: .* deliveries launch --not-sent$/m,
  )
  expect(shown).toMatch(/^Everyone else +\S+ announce launch\.md$/m)
  for (const json of [true, false])
    expect(addresses(await listed({ json, list: false }))).toEqual([])
})

it('who signed up since it began is counted, and told how they get the letter', async () => {
  const { store, end } = await anEnd()
  const said = async (leaving: Partial<ReportOptions> = {}) => {
    const { result, out } = listening()
    await reportEnd(store, end, { seen, stopShare: 1, list: false, ...leaving }, out)
    return result()
  }
  expect(await said()).not.toContain('since this began')
  await store.list.add('late@example.com')
  expect(await said()).toContain('1 new subscriber since this began. To send it to them too: ')
  // A later letter has told them meanwhile.
  await store.list.add('later@example.com')
  await store.ledger.begin('me', 'later', { subject: 'Version two', digest: 'y' })
  await enlist(store, 'me', 'later', [{ email: 'late@example.com' }])
  const told = await store.ledger.claim('me', 'later', { limit: 1, which: 'untried' })
  const sent = { status: 'sent', tries: 1, answer: '250 ok' } as const
  await store.ledger.record(
    'me',
    'later',
    told.map(({ number }) => ({ number, ...sent })),
  )
  expect(await said()).toContain('1 new subscriber since this began')
  expect(await said({ alsoWhoGot: 'all' })).toContain('2 new subscribers since this began')
  const leavesOut = ({ email }: { email: string }) =>
    email === 'later@example.com' ? 'heard' : undefined
  expect(await said({ leavesOut })).not.toContain('since this began')
})
