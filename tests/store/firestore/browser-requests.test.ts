/** @module-tag thorough */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { firestoreRules } from '../../../scripts/firestore-rules.ts'
import { probeAddress } from '../../../src/shared/probe-address.ts'
import { confirmationRequestsPath, subscribersPath } from '../../../src/shared/subscriber.ts'
import { firestoreBrowserRequests } from '../../../src/store/firestore/browser-requests.ts'
import { firestoreConnection } from '../../../src/store/firestore/connection.ts'
import { firestorePaths } from '../../../src/store/firestore/paths.ts'
import type { Asked } from '../../../src/store/outbox.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'
import { countingOperations } from '../../emulators/count-operations.ts'
import { firestoreRest } from '../../emulators/firestore-rest.ts'
import { newVisitor, record } from '../../emulators/firestore-visitor.ts'
import { withFirestoreEmulator } from '../../emulators/with-emulators.ts'
import { seenByTheWholeRule } from '../../shared/email-cases.ts'
import { isLong } from '../../torture/form.ts'
import { newProject, openFirestore } from '../every-store.ts'
import { floodgate } from './flood.ts'

const appId = 'our-product'
const [ada, bob, evil] = ['ada@example.com', 'bob@example.com', 'evil@example.com']
const FLOOD = isLong ? 20_000 : 4000
const MANY = isLong ? 10_000 : 2000
const asked: Asked = {
  shown: { words: 'Notify me', page: 'on Firebase', language: 'en' },
  isCrowd: false,
}

describe('what browsers write, to be confirmed', { timeout: 1_800_000 }, () => {
  const emulator = withFirestoreEmulator()

  async function stage() {
    const { origin } = emulator()
    const project = await newProject(origin, { appId })
    const rest = firestoreRest(origin, project)
    const open = () => {
      const store = openFirestore(origin, project, { appId })
      onTestFinished(() => store.close())
      return store
    }
    const flood = floodgate(origin, project, appId, confirmationRequestsPath)
    onTestFinished(async () => {
      await flood.close()
      await rest.clear()
    })

    /** A visitor, and the places that the rules leave to them. */
    async function visitor() {
      await rest.setRules(firestoreRules(appId, true))
      const { token, path } = await newVisitor(project, appId)
      const [list, requests] = [subscribersPath(appId), confirmationRequestsPath(appId)]
      const own = path.replace(list.slice(1), requests.slice(1))
      return (email: string) => rest.commit([record(email, own)], token)
    }
    const outbox = flood.db.collection(`artifacts/${appId}/outbox`)
    const rows = async () => (await outbox.get()).docs.map((row) => row.data())
    return { open, store: open(), visitor, rows, outbox, origin, project, ...flood }
  }

  it('waits beside the list with two fields, and is moved to the outbox with its time', async () => {
    const { store, visitor, records, rows } = await stage()
    const ask = await visitor()
    expect(await ask(ada)).toBe(200)
    const [written] = (await records.get()).docs
    expect(Object.keys(written?.data() ?? {}).toSorted()).toEqual(['email', 'subscribedAt'])
    expect(await store.list.count()).toBe(0)
    expect((await store.outbox.counts()).waiting).toBe(1)

    expect(await store.browserRequests.takeIn(() => asked)).toBe(false)
    const at = written?.get('subscribedAt')
    const shown = JSON.stringify(asked.shown)
    expect(await rows()).toEqual([{ email: ada, askedAt: at, dueAt: at, shown, tries: 0 }])
    expect((await store.outbox.counts()).waiting).toBe(1)
    expect(await store.list.count()).toBe(0)
    // The place stays taken, and holds nothing.
    expect((await records.get()).docs.map((document) => document.data())).toEqual([{}])
    expect(await ask(bob)).toBe(403)
  })

  it('costs one read for a look that finds nothing, however many were taken in before', async () => {
    const { store, signUp } = await stage()
    await signUp(300, (n) => `visitor${n}@example.com`)
    const take = () => store.browserRequests.takeIn(() => asked)
    const decide = () => expect.unreachable('nothing is due')
    await store.outbox.claimLetters(9, 1000, decide)
    const outbox = await countingOperations(() => store.outbox.claimLetters(9, 1000, decide))
    expect(outbox.operations.reads).toBeLessThanOrEqual(3)
    expect((await store.outbox.counts()).waiting).toBe(300)
    const { operations } = await countingOperations(take)
    expect(operations.reads).toBeLessThanOrEqual(302)
    expect(operations).toMatchObject({ writes: 600, deletes: 0 })
    const idle = await countingOperations(take)
    // The version of what is kept is looked at every few seconds, by whatever asks first.
    expect(idle.operations.reads).toBeLessThanOrEqual(2)
    expect(idle.operations).toMatchObject({ writes: 0, deletes: 0 })
  })

  it('of an address that was left thousands of times becomes a few rows, and holds nobody up', {
    tags: 'long',
  }, async () => {
    const { store, signUp, visitor, rows } = await stage()
    await signUp(FLOOD, () => evil)
    const others = [ada, 'zoe@example.com']
    for (const email of others) expect(await (await visitor())(email)).toBe(200)
    let looks = 0
    const { operations } = await countingOperations(async () => {
      do looks += 1
      while (await store.browserRequests.takeIn(() => asked))
    })
    expect(operations.reads).toBeLessThan(FLOOD * 1.01 + 10)
    expect(looks).toBe(Math.floor(FLOOD / 1000) + 1)
    const emails = (await rows()).map(({ email }) => email)
    expect(emails.filter((email) => email !== evil).toSorted()).toEqual(others)
    expect(emails.filter((email) => email === evil)).toHaveLength(looks)
  })

  it('is moved once for an address that was left twice, as it was left last', async () => {
    const { store, records, rows } = await stage()
    const [noon, later] = [new Date('2026-01-01T12:00:00Z'), new Date('2026-01-01T12:01:00Z')]
    for (const [id, email, subscribedAt] of [
      ['1', ada, noon],
      ['2', ada, later],
      ['3', bob, later],
      ['4', bob, noon],
    ] as const)
      await records.doc(id).set({ email, subscribedAt })
    await store.browserRequests.takeIn(() => asked)
    const moved = (await rows()).map(({ email, askedAt }) => [email, askedAt.toDate()])
    expect(moved.toSorted()).toEqual([
      [ada, later],
      [bob, later],
    ])
  })

  it('is counted once, though its move fails and is tried again', async () => {
    const { store, signUp, records, outbox, rows } = await stage()
    await signUp(10, (n) => `visitor${n}@example.com`)
    // Another server moved one of them: so the whole commit fails.
    const [taken] = (await records.get()).docs
    const other = outbox.doc(taken?.id ?? '')
    await other.create({ email: ada })
    const counted: string[] = []
    const askedOf = (email: string) => {
      counted.push(email)
      return asked
    }
    for (let i = 0; i < 3; i += 1) await store.browserRequests.takeIn(askedOf)
    expect(await rows()).toHaveLength(1)
    await other.delete()
    await store.browserRequests.takeIn(askedOf)
    expect(await rows()).toHaveLength(10)
    expect(counted).toHaveLength(10)
  })

  it('stays where it is while it cannot be moved, and that is said', async () => {
    const { signUp, rows, project } = await stage()
    await signUp(1, () => ada)
    const connection = firestoreConnection(project, () => {})
    onTestFinished(() => connection.close())
    const requests = firestoreBrowserRequests(connection, firestorePaths(connection.db, appId))
    const batch = connection.db.batch()
    const denied = Object.assign(new Error('PERMISSION_DENIED'), { code: 7 })
    vi.spyOn(batch, 'commit').mockRejectedValueOnce(denied)
    vi.spyOn(connection.db, 'batch').mockReturnValueOnce(batch)
    const take = () => requests.takeIn(() => asked)
    await expect(take()).rejects.toThrow(StoreUnavailable)
    expect(await rows()).toEqual([])
    await take()
    expect(await rows()).toHaveLength(1)
  })

  it('is remembered up to a number where its move fails, so that no flood fills the memory', async () => {
    const { signUp, records, outbox, project } = await stage()
    const connection = firestoreConnection(project, () => {})
    onTestFinished(() => connection.close())
    const requests = firestoreBrowserRequests(connection, firestorePaths(connection.db, appId), 4)
    let counted = 0
    const take = () =>
      requests.takeIn(() => {
        counted += 1
        return asked
      })
    // Another server moved one of them, and fails at that for ever.
    const failing = async (count: number) => {
      await signUp(count, (n) => `visitor${n}.of${count}@example.com`)
      await outbox.doc((await records.limit(1).get()).docs[0]?.id ?? '').set({ email: ada })
    }
    await failing(2)
    for (let times = 0; times < 2; times += 1) await take()
    expect(counted).toBe(2)
    await failing(3)
    await take()
    expect(counted).toBe(5)
    // That was one too many, and they are asked about anew.
    await take()
    expect(counted).toBe(10)
  })

  it('is taken in once by several servers at the same time', async () => {
    const { open, signUp, rows, store } = await stage()
    await signUp(MANY, (n) => `visitor${n}@example.com`)
    const servers = [store, open(), open()]
    while ((await store.outbox.counts()).waiting > (await rows()).length)
      await Promise.all(servers.map(({ browserRequests }) => browserRequests.takeIn(() => asked)))
    const emails = (await rows()).map(({ email }) => email)
    expect(emails).toHaveLength(MANY)
    expect(new Set(emails).size).toBe(MANY)
  })

  it('is lost by nobody and doubled for nobody when the server is killed again and again', {
    tags: 'long',
  }, async () => {
    const { store, signUp, rows, records, origin, project } = await stage()
    await signUp(MANY, (n) => `visitor${n}@example.com`)
    const script = join(import.meta.dirname, 'taking-in.ts')
    const waiting = records.orderBy('email').count()
    const left = async () => (await waiting.get()).data().count
    let killedHalfway = 0
    for (let before = MANY; before > 0; ) {
      const child = spawn(process.execPath, [script, origin, project, appId])
      const ended = once(child, 'exit')
      let now = before
      // As soon as anything is gone from where it waited.
      while (child.exitCode === null && now === before) now = await left()
      child.kill('SIGKILL')
      await ended
      // What was on its way when it was killed may be done a moment later, between two counts.
      await expect.poll(async () => (await store.outbox.counts()).waiting).toBe(MANY)
      before = await left()
      if (before > 0) killedHalfway += 1
    }
    expect(killedHalfway).toBeGreaterThan(0)
    const emails = (await rows()).map(({ email }) => email)
    expect(emails.toSorted()).toEqual(
      Array.from({ length: MANY }, (_, n) => `visitor${n}@example.com`).toSorted(),
    )
  })

  it('is erased with an address that is forgotten, before and while it is moved', async () => {
    const { store, open, signUp, records, rows, outbox } = await stage()
    await signUp(600, () => evil)
    await signUp(20, (n) => `visitor${n}@example.com`)
    const other = open()
    await Promise.all([store.standings.forget(evil), other.browserRequests.takeIn(() => asked)])
    while (await store.browserRequests.takeIn(() => asked));
    for (const collection of [records, outbox])
      expect((await collection.where('email', '==', evil).get()).size).toBe(0)
    expect(await rows()).toHaveLength(20)
    await store.standings.forget('visitor1@example.com')
    expect(await rows()).toHaveLength(19)
  })

  it('is erased with an address at once, however often that was left', async () => {
    const { store, signUp, records } = await stage()
    // More than one commit erases.
    await signUp(450, () => evil)
    await store.standings.forget(evil)
    expect((await records.where('email', '==', evil).get()).size).toBe(0)
    expect((await store.outbox.counts()).waiting).toBe(0)
  })

  it('is erased where it waited for too long, also where nothing takes it in any more', async () => {
    const { store, signUp, records } = await stage()
    const [then, between] = [new Date('2026-01-01'), new Date('2026-01-02')]
    await signUp(
      600,
      (n) => `${n % 2 ? 'old' : 'new'}${n}@example.com`,
      (n) => (n % 2 ? then : new Date('2026-01-03')),
    )
    await store.outbox.dropRequests(between)
    const left = (await records.orderBy('email').get()).docs.map((one) => String(one.get('email')))
    expect(left).toHaveLength(300)
    expect(left.filter((email) => !email.startsWith('new'))).toEqual([])
    // Their places stay taken.
    expect((await records.count().get()).data().count).toBe(600)
    await store.outbox.dropRequests(new Date('2026-01-04'))
    expect((await store.outbox.counts()).waiting).toBe(0)
  })

  it('is cleared away where it is of nobody: of the check of a site, or of no form that a page writes', async () => {
    const { store, visitor, records, rows } = await stage()
    expect(await (await visitor())(probeAddress())).toBe(200)
    for (const email of ['no address', ...seenByTheWholeRule])
      await records.doc().create({ email, subscribedAt: new Date() })
    await records.doc().create({ email: ada, subscribedAt: 'never' })
    await records.doc().create({ email: 7 })
    await store.browserRequests.takeIn(() => asked)
    expect(await rows()).toEqual([])
    expect((await store.outbox.counts()).waiting).toBe(0)
  })
})
