import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { enlist } from '../../fixtures/enlist.ts'
import { person } from '../../store/contracts/people.ts'
import { copyOf, keptFolder } from './kept-folder.ts'

const day = '2026-01-05'
const shown = { words: 'Be the first to know', page: 'a1b2c3', language: 'en' }
const at = (dayOfMonth: number) => new Date(Date.UTC(2026, 0, dayOfMonth))

/** A copy of a list in the middle of its launch, with something in all that a restore brings back. */
async function launched() {
  const folder = await keptFolder(9)
  const { store, ids } = folder
  await store.lock.acquire({ owner: 'me', host: 'here', pid: 7 }, 600_000)
  const list = Array.from({ length: 9 }, (_, n) => person(n + 1))
  await store.ledger.begin('me', 'launch', { subject: 'We are open', digest: 'a digest' })
  await enlist(store, 'me', 'launch', list)
  await store.ledger.countEligible('me', 'launch')
  await store.events.open(['left', 'forgotten'], 'a receiver')
  await store.standings.unsubscribe(ids.of(person(1).email))
  const claim = () => store.ledger.claim('me', 'launch', { limit: 1, which: 'untried' })
  for (const status of ['sent', 'sent', 'failed', 'uncertain'] as const)
    for (const { number, tries } of await claim())
      await store.ledger.record('me', 'launch', [{ number, tries, status, answer: 'said\tso' }])
  // Two are under way, and some wait.
  await claim()
  await claim()
  await store.standings.forget(person(2).email)
  for (const name of ['asked', 'confirmed', 'again'])
    await store.requests.requestConfirmation(`${name}@example.com`, { shown, isCrowd: false })
  await store.requests.claimLetters(9, 60_000, ({ email, at: askedAt }) => ({
    pending: { email, askedAt, shown, letters: 0 },
    isSent: email.startsWith('again'),
  }))
  await store.requests.requestConfirmation('asks@example.com', { shown, isCrowd: false })
  await store.requests.changePending(ids.of('confirmed@example.com'), ({ pending }, now) => ({
    result: undefined,
    ...(pending && { pending: { ...pending, confirmedAt: now, how: 'code' as const } }),
    consent: {
      ...shown,
      messageId: '<one@example.com>',
      letterDigest: 'a digest',
      how: 'code',
      askedAt: at(2).toISOString(),
      confirmedAt: at(3).toISOString(),
    },
  }))
  await store.invitations.keep('A'.repeat(43), at(9))
  await store.opening.set({
    url: 'https://app.example.com/',
    at: at(4),
    zone: 'UTC',
    openedAt: at(4),
  })
  await folder.keep(day)
  return { ...folder, file: folder.path(copyOf(day)) }
}

describe('backup --rehearse', () => {
  it('finds all as it was in the middle of a launch, though a restore closes what was open', async () => {
    const { rehearse, store } = await launched()
    const { code, said } = await rehearse()
    expect(said).toMatch(/all as they were\.$/)
    expect(code).toBe(0)
    const [kept] = await store.backups.keptCopies()
    const rows = Object.entries(kept?.content.parts ?? {}).map(([name, part]) => [name, part.rows])
    // Nothing is compared with nothing.
    expect(Object.fromEntries(rows)).toEqual({
      announcements: 1,
      deliveries: 9,
      'invitation keys': 1,
      'letters to leave': 1,
      openings: 1,
      'events to send': 2,
    })
  })

  it('finds all as it was in a copy of what was restored', async () => {
    const { openIn, file, dataDir, rehearse, store, keep } = await launched()
    const other = await openIn(`${dataDir}/../copies`)
    try {
      await other.copies.restore(file, { isBelieved: true })
      const [was, is] = [await store.backups.content(), await other.backups?.content()]
      expect(is).toEqual(was)
    } finally {
      await other.store.close()
    }
    await keep('2026-01-06')
    expect((await rehearse()).code).toBe(0)
  })

  it.each([
    ['all deliveries missing', 'DELETE FROM deliveries', '0 deliveries instead of 9'],
    [
      'somebody who was told and is not any more',
      `DELETE FROM deliveries WHERE number IN (SELECT min(number) FROM deliveries WHERE status = 'sent')`,
      '8 deliveries instead of 9',
    ],
    [
      'somebody whose letter left, and seems to have failed',
      `UPDATE deliveries SET status = 'failed' WHERE status = 'sent'`,
      'some deliveries differ',
    ],
    [
      'no announcement',
      'DELETE FROM announcements',
      '0 announcements instead of 1, 0 deliveries instead of 9',
    ],
    ['no key of invitations', 'DELETE FROM invitationKeys', '0 invitation keys instead of 1'],
    [
      'a key of invitations that ends too early',
      "UPDATE invitationKeys SET until = '2026-01-01T00:00:00.000Z'",
      'some invitation keys differ',
    ],
    [
      'no receipt',
      `UPDATE persons SET data = json_remove(data, '$.fields.consent')`,
      'some addresses or standings differ',
    ],
    [
      'a receipt of another time',
      `UPDATE persons SET data = json_replace(data, '$.fields.consent.confirmedAt', '2026-01-04T00:00:00.000Z')`,
      'some addresses or standings differ',
    ],
    [
      'nobody who was asked to confirm',
      `UPDATE persons SET data = json_remove(data, '$.pending')`,
      'some addresses or standings differ',
    ],
    [
      'no letter that waits',
      `UPDATE persons SET data = json_remove(data, '$.request')`,
      'some addresses or standings differ',
    ],
    ['nothing that was asked', 'DELETE FROM requests', '0 letters to leave instead of 1'],
    ['no opening', "DELETE FROM notes WHERE name = 'opening'", '0 openings instead of 1'],
    [
      'an opening elsewhere',
      `UPDATE notes SET data = json_set(data, '$.url', 'https://elsewhere.example/') WHERE name = 'opening'`,
      'some openings differ',
    ],
  ])('finds %s, and says so without a name', async (_name, sql, words) => {
    const { rehearse, file, store } = await launched()
    change(file, sql)
    expect((await rehearse()).code).toBe(1)
    const { last } = await store.backups.rehearsals()
    expect(last?.fault).toContain(words)
    expect(last?.fault).not.toContain('@')
  })
})

function change(file: string, sql: string) {
  const db = new DatabaseSync(file)
  db.exec(sql)
  db.close()
}
