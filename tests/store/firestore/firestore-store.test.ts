/** @module-tag thorough */
import { randomUUID } from 'node:crypto'
import { Firestore, WriteBatch } from '@google-cloud/firestore'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { firestoreRules } from '../../../scripts/firestore-rules.ts'
import { addressIds } from '../../../src/keys/address-id.ts'
import { batches } from '../../../src/shared/batches.ts'
import { probeAddress } from '../../../src/shared/probe-address.ts'
import { subscribersPath } from '../../../src/shared/subscriber.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'
import { countingOperations } from '../../emulators/count-operations.ts'
import { startDelayingProxy } from '../../emulators/delaying-proxy.ts'
import { firestoreRest, OWNER, type Value, visitorToken } from '../../emulators/firestore-rest.ts'
import { newVisitor, record } from '../../emulators/firestore-visitor.ts'
import { withFirestoreEmulator } from '../../emulators/with-emulators.ts'
import { ids } from '../../fixtures/keys.ts'
import { seenByTheWholeRule } from '../../shared/email-cases.ts'
import { people, person } from '../contracts/people.ts'
import { newProject, openFirestore } from '../every-store.ts'

const appId = 'our-product'
const ada = 'ada@example.com'
const holder = { owner: 'me', host: 'here', pid: 7 }
const HOUR = 3_600_000

describe('the Firestore store', () => {
  const emulator = withFirestoreEmulator()

  /** An empty database, and what a page without a server does to it. */
  async function stage(
    options: Parameters<typeof openFirestore>[2] = {},
    origin = emulator().origin,
  ) {
    const project = await newProject(origin, { appId })
    const rest = firestoreRest(origin, project)
    await rest.setRules(firestoreRules(appId))
    const store = openFirestore(origin, project, { appId, ...options })
    onTestFinished(async () => {
      await store.close()
      await rest.clear()
    })
    const records = subscribersPath(appId).slice(1)
    const randomId = () => randomUUID().replaceAll('-', '').slice(0, 20)

    return {
      store,
      rest,
      project,
      origin,
      records,
      /** A visitor's browser signs up. */
      async signUp(email: string) {
        const { token, path } = await newVisitor(project, appId)
        expect(await rest.commit([record(email, path)], token)).toBe(200)
      },
      /** Somebody with the owner's rights writes what no rule lets through. */
      async write(fields: Readonly<Record<string, Value>>) {
        expect(await rest.patch(`${records}/${randomId()}`, fields, OWNER)).toBe(200)
      },
    }
  }

  async function emails({ store }: Awaited<ReturnType<typeof stage>>) {
    const found = []
    for await (const { email } of store.list.stream()) found.push(email)
    return found
  }

  it('takes an address that browsers left many times for one subscriber, at its first time', async () => {
    const stands = await stage()
    const { store, signUp, write } = stands
    await signUp(ada)
    const first = await store.list.find(ada)
    expect(first?.email).toBe(ada)
    await signUp(ada)
    await store.list.add(ada)
    await write({
      email: { stringValue: ada },
      subscribedAt: { timestampValue: '2999-01-01T00:00:00Z' },
    })
    expect(await store.list.find(ada)).toEqual(first)
    expect(await store.list.count()).toBe(1)
    expect(await emails(stands)).toEqual([ada])
    expect(await store.list.importAll([{ email: ada, subscribedAt: new Date() }])).toEqual([
      'known',
    ])
  })

  it('gives what it took for a run also when the answer to that was lost', async () => {
    const { store } = await stage()
    await store.list.importAll(people(5))
    await store.lock.acquire(holder, HOUR)
    await store.ledger.begin('me', 'launch', { subject: 'x', digest: 'x' })
    await store.ledger.enlist('me', 'launch', people(5))
    const { runTransaction } = Firestore.prototype
    const losing = vi.spyOn(Firestore.prototype, 'runTransaction')
    onTestFinished(() => losing.mockRestore())
    losing.mockImplementationOnce(async function (this: InstanceType<typeof Firestore>, work) {
      await runTransaction.call(this, work)
      throw Object.assign(new Error('DEADLINE_EXCEEDED'), { code: 4 })
    })
    const claim = (limit: number) => store.ledger.claim('me', 'launch', { limit, which: 'untried' })
    await expect(claim(3)).rejects.toThrow(StoreUnavailable)
    expect(await store.ledger.tally('launch')).toMatchObject({ sending: 3, queued: 2 })
    await store.standings.unsubscribe(ids.of(person(2).email))
    const given = [...(await claim(2)), ...(await claim(5)), ...(await claim(5))]
    expect(given.map(({ email }) => email).toSorted()).toEqual(
      [1, 3, 4, 5].map((n) => person(n).email),
    )
    expect(given.map(({ tries }) => tries)).toEqual([1, 1, 1, 1])
    expect(await store.ledger.tally('launch')).toMatchObject({
      sending: 4,
      suppressed: 1,
      queued: 0,
    })
  })

  it('reads past whatever is no subscriber', async () => {
    const stands = await stage()
    const { store, signUp, write } = stands
    const subscribedAt = { timestampValue: '2026-01-01T00:00:00Z' }
    await signUp(ada)
    await signUp(probeAddress())
    await write({ email: { stringValue: 'Ada@Example.com' }, subscribedAt })
    await write({ email: { stringValue: 'no address' }, subscribedAt })
    for (const stringValue of seenByTheWholeRule)
      await write({ email: { stringValue }, subscribedAt })
    await write({ email: { integerValue: '7' }, subscribedAt })
    await write({
      email: { stringValue: 'timeless@example.com' },
      subscribedAt: { stringValue: 'x' },
    })
    await write({ subscribedAt })
    expect(await store.list.count()).toBe(1)
    expect(await emails(stands)).toEqual([ada])
    expect(await store.list.find('timeless@example.com')).toBeUndefined()
  })

  it('leaves records as a browser does', async () => {
    const { store, rest, records } = await stage()
    await store.list.add(ada)
    const [record] = await rest.list(records)
    expect(record?.name).toMatch(/\/subscribers\/[A-Za-z0-9]{20}$/)
    expect(record?.fields).toEqual({
      email: { stringValue: ada },
      subscribedAt: { timestampValue: expect.any(String) },
    })
  })

  it('welcomes whoever signs up in a browser after unsubscribing or being forgotten', async () => {
    const { store, signUp } = await stage()
    await signUp(ada)
    await store.standings.unsubscribe(ids.of(ada))
    expect(await store.standings.of(ada)).toMatchObject({ standing: 'unsubscribed' })
    await signUp(ada)
    expect(await store.standings.of(ada)).toBeUndefined()
    await store.standings.forget(ada)
    expect(await store.list.importAll([{ email: ada, subscribedAt: new Date() }])).toEqual([
      'forgotten',
    ])
    await signUp(ada)
    expect(await store.standings.of(ada)).toBeUndefined()
    expect(await store.list.importAll([{ email: ada, subscribedAt: new Date(0) }])).toEqual([
      'known',
    ])
    await store.standings.unsubscribe(ids.of(ada))
    expect(await store.standings.of(ada)).toMatchObject({ standing: 'unsubscribed' })
  })

  it('stays silent where leaving and signing up bear the same time', async () => {
    const { store, rest, write } = await stage()
    await store.standings.unsubscribe(ids.of(ada))
    const [entry] = await rest.list(`artifacts/${appId}/suppressions`)
    const subscribedAt = entry?.fields.unsubscribedAt
    if (!subscribedAt) throw new Error('nobody unsubscribed')
    await write({ email: { stringValue: ada }, subscribedAt })
    expect(await store.standings.of(ada)).toMatchObject({ standing: 'unsubscribed' })
  })

  it('mails those who came back, and nobody else who had left', async () => {
    const { store, signUp } = await stage()
    const [back, gone] = [person(1), person(2)]
    await store.list.importAll([back, gone])
    await store.standings.unsubscribe(ids.of(back.email))
    await store.standings.unsubscribe(ids.of(gone.email))
    await signUp(back.email)
    await store.lock.acquire(holder, HOUR)
    await store.ledger.begin('me', 'launch', { subject: 'x', digest: 'x' })
    await store.ledger.enlist('me', 'launch', [back, gone])
    const claimed = await store.ledger.claim('me', 'launch', { limit: 9, which: 'untried' })
    expect(claimed.map(({ email }) => email)).toEqual([back.email])
    expect(await store.ledger.tally('launch')).toMatchObject({ sending: 1, suppressed: 1 })
  })

  it('loses and doubles nobody when browsers sign up while it is read', async () => {
    const { store, signUp, write } = await stage()
    const before = Array.from({ length: 40 }, (_, i) => `visitor${10 + i}@example.com`)
    for (const email of before) await signUp(email)
    const seen: string[] = []
    for await (const { email } of store.list.stream()) {
      seen.push(email)
      if (seen.length === 5) {
        await signUp('aaa@example.com')
        await signUp('zzz@example.com')
        for (const repeated of before.slice(0, 10)) await signUp(repeated)
        await write({ email: { stringValue: 'mmm' } })
      }
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(expect.arrayContaining(before))
  })

  it('forgets an address that somebody left a thousand times', { tags: 'long' }, async () => {
    const { store, rest, records } = await stage()
    // Not all at once: an emulator on a busy machine answers no thousand in ten seconds.
    for await (const some of batches(Array(1000).fill(ada), 100))
      await Promise.all(some.map((email) => store.list.add(email)))
    expect(await store.list.count()).toBe(1)
    expect(await store.standings.forget(ada)).toEqual({
      wasSubscriber: true,
      wasAsked: false,
      deliveries: 0,
    })
    expect(await rest.list(records)).toEqual([])
  })

  it('forgets an address whose records have no time, however many they are', {
    tags: 'long',
  }, async () => {
    const { store, rest, project, records } = await stage()
    const db = new Firestore({ projectId: project })
    onTestFinished(() => db.terminate())
    const batch = db.batch()
    for (let n = 0; n < 210; n += 1)
      batch.create(db.collection(records).doc(), { email: ada, subscribedAt: 'never' })
    await batch.commit()
    await store.standings.forget(ada)
    expect(await rest.list(records)).toEqual([])
  })

  it('brings in any number with no commit larger than Firestore takes', async () => {
    const { store } = await stage()
    const left = people(260).map((one) => ({ ...one, standing: 'unsubscribed' as const }))
    const { largestCommit } = await countingOperations(() => store.list.importAll(left))
    expect(largestCommit).toBeLessThanOrEqual(500)
    expect(await store.list.countByStanding()).toMatchObject({ unsubscribed: 260 })
  })

  it('says so when it may not write the run lock, and asks for it no more', async () => {
    const { store } = await stage()
    const commit = vi.spyOn(WriteBatch.prototype, 'commit')
    onTestFinished(() => commit.mockRestore())
    const refused = async (change: () => Promise<unknown>) => {
      commit.mockImplementationOnce(async () => {
        throw Object.assign(new Error('PERMISSION_DENIED'), { code: 7 })
      })
      await expect(change()).rejects.toThrow(StoreUnavailable)
    }
    expect(await store.lock.holder()).toBeUndefined()
    await refused(() => store.lock.acquire(holder, HOUR))
    expect(await store.lock.holder()).toBeUndefined()
    await store.lock.acquire(holder, HOUR)
    await refused(() => store.lock.renew('me', HOUR))
    await refused(() => store.lock.release('me'))
    expect(await store.lock.holder()).toEqual(holder)
  })

  it('leaves no timer behind, which would keep a command from ending', async () => {
    const { store } = await stage()
    await store.lock.holder()
    const timers = () =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const before = timers()
    for (let n = 0; n < 20; n += 1) await store.lock.holder()
    expect(timers() - before).toBeLessThan(10)
  })

  it('keeps all that stands beside the subscribers from visitors', async () => {
    const { store, rest, project } = await stage()
    await store.list.importAll([person(1)])
    await store.lock.acquire(holder, HOUR)
    await store.ledger.begin('me', 'launch', { subject: 'x', digest: 'x' })
    await store.ledger.enlist('me', 'launch', [person(1)])
    await store.standings.unsubscribe(ids.of(person(1).email))
    const product = `artifacts/${appId}`
    const addressId = ids.of(person(1).email)
    const visitor = visitorToken(project)
    for (const path of [
      'state/runLock',
      'state/linkKey',
      'announcements/launch',
      `announcements/launch/deliveries/${addressId}`,
      `suppressions/${addressId}`,
      `public/data/subscribers/${addressId}`,
    ]) {
      const place = `${product}/${path}`
      expect(await rest.get(place, OWNER), path).toBe(200)
      expect(await rest.get(place, visitor), path).toBe(403)
      expect(await rest.patch(place, { x: { stringValue: 'x' } }, visitor), path).toBe(403)
      expect(await rest.remove(place, visitor), path).toBe(403)
      const folder = place.slice(0, place.lastIndexOf('/'))
      expect(await rest.patch(`${folder}/new`, {}, visitor), path).toBe(403)
      const [parent, collectionId] = [
        `/${folder}`.replace(/\/[^/]+$/, ''),
        folder.split('/').at(-1),
      ]
      expect(await rest.query(parent, { collectionId }, visitor), path).toBe(403)
    }
  })

  it('refuses another LINK_KEY than the one that it was first used with', async () => {
    const { store, origin, project } = await stage()
    await store.standings.unsubscribe(ids.of(ada))
    const otherKey = addressIds(Buffer.from('another key than the one before'))
    const second = openFirestore(origin, project, { appId, addressIds: otherKey })
    onTestFinished(() => second.close())
    await second.lock.acquire(holder, HOUR)
    for (const attempt of [
      () => second.standings.forget(ada),
      () => second.standings.unsubscribe('x'.repeat(22)),
      () => second.ledger.begin('me', 'launch', { subject: 'x', digest: 'x' }),
      () => second.list.importAll([person(1)]),
    ])
      await expect(attempt()).rejects.toThrow('LINK_KEY')
    await second.list.add('bob@example.com')
    expect(await second.list.count()).toBe(1)
  })

  it('fails in some seconds while Firestore is silent, says so once, and goes on with it', async () => {
    const said: string[] = []
    const proxy = await startDelayingProxy(emulator().origin)
    onTestFinished(proxy.close)
    const { store } = await stage({ log: (message) => said.push(message) }, proxy.origin)
    await store.list.add('before@example.com')
    proxy.pause()
    const begun = performance.now()
    try {
      await Promise.all([
        expect(store.list.add('during@example.com')).rejects.toThrow(StoreUnavailable),
        expect(store.list.find('before@example.com')).rejects.toThrow(StoreUnavailable),
        expect(store.checkWritable()).rejects.toThrow(StoreUnavailable),
        expect(store.lock.acquire(holder, HOUR)).rejects.toThrow(StoreUnavailable),
      ])
    } finally {
      proxy.resume()
    }
    expect(performance.now() - begun).toBeLessThan(15_000)
    await store.list.add('after@example.com')
    expect(await store.list.find('after@example.com')).toBeDefined()
    expect(said.join()).not.toContain('@')
    expect(said.filter((message) => message.includes('cannot be used'))).toHaveLength(1)
    expect(said.at(-1)).toBe('Firestore can be used again.')
  })
})

describe('the Firestore store without a Firestore', () => {
  it('fails in some seconds with a reason, and without the address', async () => {
    const store = openFirestore('http://127.0.0.1:1', 'demo-nowhere')
    onTestFinished(() => store.close())
    const begun = performance.now()
    const failure = await store.list.add(ada).catch((error) => error)
    expect(failure).toBeInstanceOf(StoreUnavailable)
    expect(failure.message).toMatch(/^Firestore cannot be used: /)
    expect(failure.message).not.toContain('@')
    expect(performance.now() - begun).toBeLessThan(15_000)
  })
})
