/** @module-tag thorough */
import { Firestore, Timestamp } from '@google-cloud/firestore'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Store } from '../../../src/store/store.ts'
import { firestoreRest } from '../../emulators/firestore-rest.ts'
import { withFirestoreEmulator } from '../../emulators/with-emulators.ts'
import { ids } from '../../fixtures/keys.ts'
import { people, person } from '../contracts/people.ts'
import { newProject, openFirestore } from '../every-store.ts'

const appId = 'our-product'
const time = (text: string) => Timestamp.fromDate(new Date(text))

/** What somebody with the operator's credentials, or a tool of theirs, may have left in any field. */
const hostile: readonly unknown[] = [
  ...[time('9999-12-31T23:59:59Z'), new Timestamp(-62_135_596_800, 0), null, '', 'x', -1, 2 ** 60],
  ...[Number.NaN, true, { a: 1 }, [1], '\u0000\u001b[2J', 'x'.repeat(1400), '{', '[]', 'null'],
]

const shown = { words: 'Tell me', page: 'p', language: 'en' }

/** A row of every kind, as the store itself leaves it. */
async function fill(store: Store) {
  const at = new Date('2026-01-05T08:00:00Z')
  await store.list.importAll(people(6))
  await store.list.add(person(1).email, { source: { source: 'hn' } })
  await store.list.add('visitor@example.com', { source: { source: 'hn', medium: 'post' } })
  await store.list.add('robot@example.com', { suspicion: 'too-quick' })
  await store.standings.unsubscribe(ids.of(person(2).email))
  await store.standings.set([{ email: person(3).email, standing: 'bounced', detail: '550' }])
  await store.standings.forget(person(4).email)
  await store.lock.acquire({ owner: 'me', host: 'here', pid: 1 }, 600_000)
  await store.ledger.begin('me', 'launch', { subject: 'x', digest: 'x' })
  await store.ledger.enlist('me', 'launch', people(6))
  await store.ledger.countEligible('me', 'launch')
  const [one] = await store.ledger.claim('me', 'launch', { limit: 1, which: 'untried' })
  const row = { addressId: one?.addressId ?? '', tries: 1 }
  await store.ledger.record('me', 'launch', [{ ...row, status: 'sent', answer: '250' }])
  const counts = { first: 2, return: 1, robot: 0, prefetch: 0 }
  const names = [{ kind: 'source', name: 'hn', number: 2 }] as const
  await store.restore.visits([{ hour: at, counts, names: [...names] }])
  await store.opening.set({ url: 'https://a.example/', at, zone: 'UTC', openedAt: undefined })
  await store.restore.pending([{ email: 'asked@example.com', askedAt: at, shown, letters: 1 }])
  await store.outbox.requestConfirmation('new@example.com', { shown, isCrowd: false })
  await store.invitations.keep('A'.repeat(43), new Date('2030-01-01T00:00:00Z'))
  await store.notices.open(['mail'], at)
  await store.notices.noteEvent({ key: 'k', type: 'test', at: new Date(), data: {} })
  await store.events.open(['subscribed', 'forgotten'], 'a place', at)
  await store.list.add('reported@example.com')
  await store.list.overview(at, () => {})
}

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const row of rows) found.push(row)
  return found
}

const since = new Date('2026-01-01T00:00:00Z')
const email = person(1).email

/** What the commands, the desk and the server read. */
const reading: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  list: (store) => all(store.list.stream({ standing: 'all' })),
  'list of a time': (store) => all(store.list.stream({ since, until: new Date() })),
  overview: (store) => store.list.overview(since, () => {}),
  counts: (store) => store.list.countByStanding(),
  count: (store) => store.list.countIn({ standing: 'all' }),
  people: (store) => store.people.page({ limit: 50 }),
  'people of a standing': (store) => store.people.page({ limit: 50, standing: 'unsubscribed' }),
  'people of a source': (store) => store.people.page({ limit: 50, source: 'hn' }),
  growth: (store) => store.growth.since(since),
  newest: (store) => store.growth.newest(50),
  'events to send': (store) => store.events.claim(50, 1000, new Date()),
  'events that wait': (store) => store.events.waiting(200),
  'counts of events': (store) => store.events.counts(),
  'the feed of events': (store) => store.events.feed(),
  find: (store) => store.list.find(email),
  standing: (store) => store.standings.of(email),
  addressOf: (store) => store.people.addressOf(ids.of(person(6).email)),
  announcements: (store) => store.ledger.announcements(),
  announcement: (store) => store.ledger.findAnnouncement('launch'),
  tally: (store) => store.ledger.tally('launch'),
  suppressedAs: (store) => store.ledger.suppressedAs('launch'),
  deliveries: (store) => all(store.ledger.deliveries('launch')),
  deliveriesTo: (store) => store.ledger.deliveriesTo(person(5).email),
  pending: (store) => all(store.outbox.pending()),
  outbox: (store) => store.outbox.counts(),
  visits: (store) => store.visits.since(since),
  visitNames: (store) => store.visits.names(since),
  signUpNames: (store) => store.visits.signUpNames(since),
  sourceOf: (store) => store.visits.sourceOf(email),
  opening: (store) => store.opening.get(),
  hold: (store) => store.hold.get(),
  place: (store) => store.notices.changePlace('mail', () => ({ result: undefined })),
  growthBetween: (store) => store.notices.growthBetween(since, new Date()),
  signedUp: (store) => store.notices.signedUp(since, new Date(), 10),
  quarantinedSince: (store) => store.notices.quarantinedSince(since),
  unreadable: (store) => all(store.unreadable.stream()),
  'count of what is unreadable': (store) => store.unreadable.count(),
  lock: (store) => store.lock.holder(),
  abandoned: (store) => store.lock.isAbandoned(new Date()),
  retry: (store) => store.ledger.nextRetry('launch'),
  lately: (store) => store.ledger.lately('launch', { tried: 9, told: 9 }),
  toldSince: (store) => all(store.ledger.toldSince(since)),
  desk: (store) => store.desk.read(),
  alarm: (store) => store.notices.changeAlarm('backup', () => ({})),
  letters: (store) => store.outbox.claimLetters(50, 1000, () => ({})),
}

describe('rows that no store of ours has written', { timeout: 300_000 }, () => {
  const emulator = withFirestoreEmulator()

  async function stage() {
    const { origin } = emulator()
    const projectId = await newProject(origin, { appId })
    const store = openFirestore(origin, projectId, { appId })
    onTestFinished(() => store.close())
    onTestFinished(async () => void (await firestoreRest(origin, projectId).clear()))
    await fill(store)
    const db = new Firestore({ projectId })
    onTestFinished(() => db.terminate())
    return { store, db }
  }

  it('stop no command, whichever field of whichever row they are', { tags: 'long' }, async () => {
    const { store, db } = await stage()
    const before = (await all(store.list.stream({ standing: 'all' }))).map((one) => one.email)
    const root = db.doc(`artifacts/${appId}`)
    const collections = [
      db.collection(`artifacts/${appId}/public/data/subscribers`),
      ...(await root.listCollections()).filter(({ id }) => id !== 'state' && id !== 'public'),
      root.collection('announcements/launch/deliveries'),
    ]
    let written = 0
    for (const collection of collections) {
      const batch = db.batch()
      const { docs } = await collection.limit(3).get()
      for (const document of docs)
        for (const field of [undefined, ...Object.keys(document.data())])
          for (const [i, value] of (field ? hostile : [0]).entries()) {
            const data = field ? { ...document.data(), [field]: value } : {}
            // Of no index, which holds 1,500 bytes.
            batch.set(collection.doc(`${document.id.slice(0, 20)}-${field}-${i}`), data)
            written += 1
          }
      await batch.commit()
    }
    expect(written).toBeGreaterThan(900)
    const failed: string[] = []
    for (const [name, read] of Object.entries(reading))
      await read(store).catch((error) =>
        failed.push(`${name}: ${error.stack.split('\n').slice(0, 3)}`),
      )
    expect(failed).toEqual([])
    const after = (await all(store.list.stream({ standing: 'all' }))).map((one) => one.email)
    expect(after.filter((one) => before.includes(one)).length).toBe(before.length)
  })

  it('stop no command where there is one of them alone', async () => {
    const { store, db } = await stage()
    await store.hold.begin({ why: 'none', since: new Date() })
    await store.notices.changeAlarm('backup', () => ({
      alarm: { isOn: true, since: 1, isReminded: false, data: {} },
    }))
    const failed: string[] = []
    // With another key or version, the right answer is none.
    const single = ['opening', 'listHold', 'lastNotice', 'invitationKey', 'runLock', 'expired']
    const documents = [
      ...single.map((name) => db.doc(`artifacts/${appId}/state/${name}`)),
      ...['noticePlaces/mail', 'alarms/backup'].map((path) => db.doc(`artifacts/${appId}/${path}`)),
    ]
    const names = ['opening', 'hold', 'lock', 'abandoned', 'outbox', 'place', 'alarm'] as const
    const kept = (await db.getAll(...documents)).map((document) => document.data() ?? {})
    // One field of each at a time: none of them is read for the sake of another.
    const most = Math.max(...kept.map((fields) => Object.keys(fields).length))
    for (let n = 0; n < most; n += 1)
      for (const value of hostile.slice(0, 12)) {
        const batch = db.batch()
        for (const [i, ref] of documents.entries()) {
          const field = Object.keys(kept[i] ?? {})[n]
          batch.set(ref, { ...kept[i], ...(field !== undefined && { [field]: value }) })
        }
        await batch.commit()
        for (const name of names)
          await reading[name]?.(store).catch((error) =>
            failed.push(`field ${n} = ${String(value)}: ${name}: ${error}`),
          )
      }
    expect(failed).toEqual([])
  })

  it('are counted, and named when somebody asks', async () => {
    const { store, db } = await stage()
    expect(await store.unreadable.count()).toBe(0)
    const subscribers = db.collection(`artifacts/${appId}/public/data/subscribers`)
    const later = time('9999-12-31T23:59:59Z')
    await subscribers.doc('later').set({ email: 'later@example.com', subscribedAt: later })
    await subscribers.doc('none').set({ email: 'none@example.com' })
    await subscribers.doc('what').set({ email: 'what', subscribedAt: Timestamp.now() })
    await subscribers.doc('empty').set({})
    expect(await store.unreadable.count()).toBe(4)
    const named = (await all(store.unreadable.stream())).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    expect(named).toEqual([
      { id: 'empty', why: 'its e-mail is not an address' },
      { id: 'later', why: 'its time is not a time' },
      { id: 'none', why: 'its time is not a time' },
      { id: 'what', why: 'its e-mail is not an address' },
    ])
    const listed = (await all(store.list.stream({ standing: 'all' }))).map((one) => one.email)
    expect(listed).not.toContain('later@example.com')
    // The same person is on the list by another record.
    await store.list.add('later@example.com')
    expect(await store.list.find('later@example.com')).toBeDefined()
  })

  it('leave a no a no, also one whose time cannot be read', async () => {
    const { store, db } = await stage()
    const { email } = person(5)
    for (const unsubscribedAt of hostile.filter((one) => one !== undefined)) {
      await db.doc(`artifacts/${appId}/suppressions/${ids.of(email)}`).set({ unsubscribedAt })
      expect(await store.standings.of(email), String(unsubscribedAt)).toMatchObject({
        standing: 'unsubscribed',
      })
    }
    const mailable = (await all(store.list.stream())).map((one) => one.email)
    expect(mailable).not.toContain(email)
    // Who signs up again after it was written lifts it, as always.
    await store.list.add(email)
    expect(await store.standings.of(email)).toBeUndefined()
  })
})
