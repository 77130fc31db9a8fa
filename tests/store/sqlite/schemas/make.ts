import { copyFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { ids } from '../../../fixtures/keys.ts'

/**
 * Fills a SQLite store with every kind of row: what each released schema leaves behind. Run by the
 * code of a release, it makes the file that all later versions have to open:
 * `node tests/store/sqlite/schemas/make.ts version-N.sqlite`.
 */
const [output = 'version.sqlite'] = process.argv.slice(2)
// Where this module was at that release.
const { sqliteStore } = await import('../../../../src/store/sqlite/sqlite-store.ts')
const store = sqliteStore({
  file: `${output}.made`,
  appId: 'test',
  addressIds: ids,
  log: console.error,
})

const email = (name: string) => `${name}@example.com`
const subscribedAt = (day: number) => new Date(Date.UTC(2026, 0, day, 9, 30, 0, 123))
const names = ['sent', 'failed', 'uncertain', 'sending', 'retried', 'left', 'gone', 'queued']
const list = names.map((name, i) => ({ email: email(name), subscribedAt: subscribedAt(i + 1) }))
await store.list.importAll(list)
await store.list.add(email('visitor'))
await store.list.add(`"o'brien; --"@xn--mller-kva.example`)

await store.lock.acquire({ owner: 'me', host: 'here', pid: 7 }, 60_000)
const letter = { subject: 'We are open', digest: 'a digest' }
await store.ledger.begin('me', 'launch', letter)
await store.ledger.enlist('me', 'launch', list)
await store.ledger.countEligible('me', 'launch')
await store.standings.unsubscribe(ids.of(email('left')))
const claim = () => store.ledger.claim('me', 'launch', { limit: 1, which: 'untried' })
const dueAt = new Date(Date.UTC(2026, 0, 2))
for (const status of ['sent', 'failed', 'uncertain', undefined, 'queued'] as const)
  for (const { addressId, tries } of await claim())
    if (status === 'queued')
      await store.ledger.record('me', 'launch', [
        { addressId, tries, status, answer: '451 wait', dueAt },
      ])
    else if (status)
      await store.ledger.record('me', 'launch', [
        // With a language from version 14 on.
        { addressId, tries, status, answer: `said ${status}`, language: 'ar' },
      ])
// The one who left, on the way to the next.
for (const { addressId, tries } of await claim())
  await store.ledger.record('me', 'launch', [
    { addressId, tries, status: 'sent', answer: '250 gone' },
  ])
await store.standings.forget(email('gone'))
await store.standings.forget(email('never-here'))
await store.ledger.begin('me', 'begun-only', { subject: 'Later', digest: 'another' })
await store.standings.unsubscribe(ids.of(email('nobody')))

// From version 2 on.
const returned = { email: email('returned'), subscribedAt: subscribedAt(11) }
await store.list.importAll([
  ...[{ email: email('bounced'), subscribedAt: subscribedAt(9) }, returned],
  {
    email: email('complained'),
    subscribedAt: subscribedAt(10),
    standing: 'complained',
    standingAt: subscribedAt(12),
    detail: 'by a mail provider',
    extra: { 'First Name': 'Ada', tags: ['a', null, 1] },
  },
])
await store.standings.set([
  { email: email('bounced'), standing: 'bounced', at: subscribedAt(13), detail: '550 5.1.1 no' },
])
await store.standings.unsubscribe(ids.of(returned.email))
await store.list.add(returned.email)

// From version 3 on.
const shown = { words: 'Be the first to know', page: 'a1b2c3', language: 'en' }
const sent = { letters: 1, messageId: '<one@example.com>', letterDigest: 'a digest' }
for (const name of ['asked', 'confirmed'])
  await store.outbox.requestConfirmation(email(name), { shown, isCrowd: false })
await store.outbox.claimLetters(9, 60_000, ({ email, at }, _found, now) => ({
  pending: { email, askedAt: at, shown, ...sent, lastLetterAt: now },
  isSent: email.startsWith('confirmed'),
}))
await store.outbox.changePending(ids.of(email('confirmed')), ({ pending }, now) => ({
  result: undefined,
  ...(pending && { pending: { ...pending, confirmedAt: now, how: 'code' as const } }),
  consent: {
    ...shown,
    messageId: sent.messageId,
    letterDigest: sent.letterDigest,
    how: 'code',
    askedAt: subscribedAt(1).toISOString(),
    confirmedAt: subscribedAt(2).toISOString(),
  },
}))
await store.outbox.requestConfirmation(email('waiting'), { shown, isCrowd: true })

// From version 4 on.
await store.list.add(email('robot'), { suspicion: 'hidden-field, too-quick' })
await store.outbox.requestConfirmation(email('robot-waiting'), {
  shown,
  isCrowd: false,
  suspicion: 'too-quick',
})

// From version 5 on.
const from = { source: 'hn', medium: 'social', campaign: 'launch' }
await store.list.add(email('from-afar'), { source: from })
await store.outbox.requestConfirmation(email('asked-from-afar'), {
  shown,
  isCrowd: true,
  source: from,
})
const counts = { first: 3, return: 2, robot: 1, prefetch: 4 }
const seen = [
  { kind: 'source' as const, name: 'hn', number: 2 },
  { kind: 'host' as const, name: null, number: 1 },
]
await store.visits.add([{ hour: new Date(Date.UTC(2026, 0, 5, 9)), counts, names: seen }])

// From version 6 on.
const secret = { id: 'a hash', secretHash: 'another', madeAt: 0, until: 1e15 }
const passkey = { id: 'key', publicKey: 'public', counter: 7, transports: ['internal'] }
await store.desk.change((found) => ({
  result: undefined,
  state: {
    ...found,
    links: [secret],
    passkeys: [{ ...passkey, name: 'My phone', addedAt: 1, deviceId: 'a third' }],
  },
}))

// From version 8 on.
const told = new Date(Date.UTC(2026, 0, 6, 9))
await store.notices.open(['webhook:somewhere'], told)
await store.notices.noteEvent({
  key: 'day:2026-01-06',
  type: 'day.ended',
  at: told,
  data: { signUps: 3 },
})
await store.notices.changeAlarm('backup', () => ({
  alarm: { isOn: true, since: told.getTime(), isReminded: false, data: { hours: 80 } },
}))

// From version 9 on.
await store.opening.set({
  url: 'https://app.example.com/',
  at: subscribedAt(14),
  zone: 'Europe/Berlin',
  openedAt: subscribedAt(15),
})
await store.backups.write(`${output}.copy`)

// From version 10 on.
const kept = {
  folder: '/copies',
  name: 'one.sqlite',
  at: subscribedAt(20),
  bytes: 7,
  keep: '7,4,12',
}
const content = { subscribers: 1, standings: { unsubscribed: 1 }, digest: '0'.repeat(64) }
await store.backups.noteCopy({ ...kept, content })
await store.backups.noteRehearsal({ at: subscribedAt(21), copy: '/copies/one.sqlite', fault: 'no' })

// From version 11 on.
const invited = (name: string, id: string) => ({
  id,
  announcement: 'launch',
  addressId: ids.of(email(name)),
  email: email(name),
  issuedAt: subscribedAt(22),
  expiresAt: subscribedAt(29),
})
const publicKey = 'A'.repeat(43)
await store.invitations.setKey(publicKey)
await store.invitations.issue(invited('sent', 'A'.repeat(22)), subscribedAt(23), publicKey)
await store.restore.invitations([
  {
    ...invited('queued', `${'A'.repeat(21)}Q`),
    ended: { as: 'redeemed', at: subscribedAt(24) },
  },
])

// From version 12 on.
await store.ledger.keepWaves('me', 'launch', {
  waves: '10%,100%',
  everyMs: 7_200_000,
  number: 1,
  target: 1,
  size: 1,
  isLast: false,
  before: { tried: 0, told: 0, failed: 0, left: 0 },
  begunAt: subscribedAt(16),
  endedAt: subscribedAt(17),
  nextAt: subscribedAt(18),
})

// From version 13 on.
const network = 'N'.repeat(22)
await store.outbox.requestConfirmation(email('waiting-there'), { shown, isCrowd: true, network })

// From version 14 on.
await store.list.add(email('speaker'), { language: 'ar' })

// From version 15 on.
await store.events.open(['subscribed', 'left', 'forgotten'], 'P'.repeat(22), subscribedAt(25))
await store.list.add(email('reported'))
await store.list.add(email('erased'))
await store.standings.forget(email('erased'))

// From version 16 on: imported with signs, and found in an import after a sign-up at the page.
await store.list.importAll(
  [
    {
      email: email('robot-elsewhere'),
      subscribedAt: subscribedAt(25),
      standing: 'quarantined',
      standingAt: subscribedAt(27),
      detail: 'too-quick',
    },
    { email: email('met-before'), subscribedAt: subscribedAt(26), signedUpAt: subscribedAt(28) },
  ],
  { isNews: false },
)

// From version 17 on: somebody who was brought, and two who are asked.
await store.restore.known([
  {
    addressId: ids.of(email('speaker')),
    extra: { referral: { by: ids.of(email('confirmed')), at: subscribedAt(29).toISOString() } },
  },
])
const broughtBy = ids.of(email('confirmed'))
await store.restore.pending([
  { email: email('asked-and-brought'), askedAt: subscribedAt(30), shown, letters: 1, broughtBy },
])
await store.outbox.requestConfirmation(email('brought'), { shown, isCrowd: true, broughtBy })

// From version 18 on.
await store.refusals.hear(
  [31, 32].map((day) => ({
    email: email('queued'),
    refusal: 'full',
    at: subscribedAt(day),
    report: `${day}`,
  })),
)
await store.close()

const db = new DatabaseSync(`${output}.made`)
db.exec('PRAGMA journal_mode = DELETE; VACUUM')
db.close()
copyFileSync(`${output}.made`, output)
