/** @module-tag thorough */

import { describe, expect, it, vi } from 'vitest'
import { probeAddress } from '../../src/shared/probe-address.ts'
import { InboxTaken } from '../../src/store/inbox.ts'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'
import { countingOperations } from '../emulators/count-operations.ts'
import { startPausingProxy } from '../emulators/pausing-proxy.ts'
import { withFirestoreEmulator } from '../emulators/with-emulators.ts'
import { standingCounts } from '../fixtures/standing-counts.ts'
import { ago, inboxStage } from './inbox-stage.ts'

const [ada, bob, cy] = ['ada@example.com', 'bob@example.com', 'cy@example.com']
const HOUR = 3600
const DAY = 24 * HOUR
const asked = { words: 'Notify me', page: 'on Firebase', language: 'en' }

describe('what visitors wrote into Firestore', { timeout: 300_000 }, () => {
  const emulator = withFirestoreEmulator()
  const stage = () => inboxStage(emulator().origin)

  it('comes on the list with its own time, once, however often it is looked at', async () => {
    const { open, write } = stage()
    const { store, collect, emails } = open()
    const [first, second] = [ago(3 * DAY), ago(60)]
    await write([
      [bob, second],
      [ada, first],
      [ada, second],
      [cy, ago(4 * DAY)],
    ])
    expect(await collect.toTheEnd()).toEqual({ takenIn: 4, isStopped: false })
    // In the order in which they came, and nobody is left behind.
    expect(await emails()).toEqual([cy, ada, bob])
    expect(await store.inbox.waiting()).toMatchObject({ entries: 0, setAside: 0 })
    expect((await store.list.find(ada))?.subscribedAt).toEqual(first)
    const growth = await store.growth.since(ago(5 * DAY))
    expect(growth.quarters.map(({ number }) => number)).toEqual([1, 1, 1])
    expect(await collect.toTheEnd()).toEqual({ takenIn: 0, isStopped: false })
    expect((await standingCounts(store)).subscribed).toBe(3)
  })

  it('brings nobody back who left, was erased or was quarantined since', async () => {
    const { open, write } = stage()
    const { store, collect, ids, standingOf, emails } = open()
    await write([ada, bob, cy].map((email) => [email, ago(60)] as const))
    await collect.toTheEnd()
    await store.standings.unsubscribe(ids.of(ada))
    await store.standings.forget(bob)
    await store.list.importAll([
      { email: 'dee@example.com', subscribedAt: ago(9), standing: 'quarantined' },
    ])
    await write([
      ['dee@example.com', ago(60)],
      [ada, ago(30)],
      [ada, new Date()],
      [bob, new Date()],
    ])
    await collect.toTheEnd()
    await collect.toTheEnd()
    expect(await standingOf(ada)).toBe('unsubscribed')
    expect(await standingOf(bob)).toBe('forgotten')
    expect(await standingOf('dee@example.com')).toBe('quarantined')
    expect(await emails()).not.toContain(bob)
    expect((await standingCounts(store)).subscribed).toBe(1)
  })

  it('is judged by its own time: a week at once is no crowd, and a crowd of an hour is one', async () => {
    const { open, write } = stage()
    const { store, collect } = open()
    const temporary = (n: number) => `visitor${n}@mailinator.com`
    // Of one domain that gives addresses for a while: a hint, and many of them a second one.
    await write(
      Array.from({ length: 56 }, (_, n) => [temporary(n), ago((n * 7 * DAY) / 56 + 99)] as const),
    )
    await collect.toTheEnd()
    expect((await standingCounts(store)).quarantined).toBe(0)
    await write(Array.from({ length: 20 }, (_, n) => [temporary(100 + n), ago(20 - n)] as const))
    await collect.toTheEnd()
    const { quarantined } = await standingCounts(store)
    expect(quarantined).toBeGreaterThan(5)
    // Looked at again, it counts for nothing.
    await collect.toTheEnd()
    expect((await standingCounts(store)).quarantined).toBe(quarantined)
  })

  it('stops nothing and moves no look where it is odd', async () => {
    const { open, write, list } = stage()
    const { collect, collecting, emails } = open()
    await list.doc('far').set({ email: ada, subscribedAt: new Date('9999-01-01') })
    await list.doc('near').set({ email: bob, subscribedAt: new Date(Date.now() + HOUR * 1000) })
    await list.doc('more').set({ email: ada, subscribedAt: new Date(), more: 'x'.repeat(900_000) })
    await list.doc('long').set({ email: 'x'.repeat(900_000), subscribedAt: ago(30) })
    await list
      .doc('10 kB')
      .set({ email: `${'x'.repeat(10_000)}@example.com`, subscribedAt: ago(30) })
    await list.doc('none').set({ email: 7, subscribedAt: 'never' })
    await list.doc('timeless').set({ email: bob })
    await list.doc('before 1970').set({ email: bob, subscribedAt: new Date(-1000) })
    await list.doc('probe').set({ email: probeAddress(), subscribedAt: ago(30) })
    const newest = ago(3 * HOUR)
    await write([[cy, newest]])
    await collect.toTheEnd()
    expect(await emails()).toEqual([cy])
    expect((await collecting.state())?.newest?.seconds).toBe(Math.floor(newest.getTime() / 1000))
    expect((await collecting.state())?.missing).toBe(0)
    expect(await collecting.counted()).toBe(6)
  })

  it('costs a few reads where nothing came', async () => {
    const { open, write } = stage()
    const { collect } = open()
    await write(
      Array.from({ length: 30 }, (_, n) => [`visitor${n}@example.com`, ago(600 + n)] as const),
    )
    await collect.toTheEnd()
    expect(await collect.look()).toBe(20_000)
    const { operations } = await countingOperations(() => collect.look())
    // The claim, and the newest document.
    expect(operations).toEqual({ reads: 2, writes: 0, deletes: 0 })
  })

  it('is found where it came late, and where it lies before every look', async () => {
    const { open, write, list } = stage()
    const { collect, collecting, emails } = open()
    await write([[ada, ago(10)]])
    await collect.look()
    await write([[bob, ago(100)]])
    await collect.look()
    expect(await emails()).toHaveLength(2)
    // The count misses it, and so everything is looked at.
    await write([[cy, ago(400 * DAY)]])
    await collect.look()
    expect(await emails()).toHaveLength(2)
    await collect.toTheEnd()
    expect(await emails()).toHaveLength(3)
    expect((await collecting.state())?.missing).toBe(0)
    for (const { ref } of (await list.where('email', '==', cy).get()).docs) await ref.delete()
    await collect.toTheEnd()
    expect((await collecting.state())?.missing).toBe(-1)
  })

  it('is taken in in order where the first look was stopped, and goes on there', async () => {
    const { open, newFolder, write } = stage()
    const folder = newFolder()
    await write(
      Array.from({ length: 2500 }, (_, n) => [`visitor${n}@example.com`, ago(9999 - n)] as const),
    )
    const stop = new AbortController()
    const { collect, store, collecting } = open(folder)
    const end = await collect.toTheEnd({ signal: stop.signal, progress: () => stop.abort() })
    expect(end).toEqual({ takenIn: 0, isStopped: true })
    expect(await store.list.count()).toBe(0)
    expect((await collecting.state())?.look?.after).toBeDefined()
    const again = open(folder)
    const found: number[] = []
    await again.collect.toTheEnd({ progress: (found_) => found.push(found_) })
    expect(found[0]).toBe(2000)
    expect(await again.store.list.count()).toBe(2500)
  })

  it('is found once each, however many have one time or one address', async () => {
    const { open, write } = stage()
    const { collect, collecting, emails } = open()
    const at = ago(60)
    await write([
      ...Array.from({ length: 1200 }, () => [ada, at] as const),
      ...Array.from({ length: 1200 }, (_, n) => [`visitor${n}@example.com`, at] as const),
    ])
    expect(await collect.toTheEnd()).toEqual({ takenIn: 2400, isStopped: false })
    expect(await emails()).toHaveLength(1201)
    expect((await collecting.state())?.missing).toBe(0)
    expect(await collect.toTheEnd()).toEqual({ takenIn: 0, isStopped: false })
  })

  it('and a request to confirm of the same address make one person and one letter', async () => {
    const { open, write, requests } = stage()
    const { collect, store, emails } = open()
    await write([[ada, ago(60)]])
    await write([[ada, ago(50)]], requests)
    await collect.takeInRequests(asked, ago(14 * DAY))
    await collect.toTheEnd()
    expect(await emails()).toEqual([ada])
    expect((await store.requests.counts()).waiting).toBe(1)
    await store.standings.forget(ada)
    expect((await store.requests.counts()).waiting).toBe(0)
  })

  it('costs no read where the list cannot be written', async () => {
    const { open, write } = stage()
    const { collect, inbox, collecting } = open()
    await write([[ada, ago(9)]])
    await collect.look()
    vi.spyOn(collecting, 'change').mockRejectedValue(new StoreUnavailable('the disk is full'))
    const read = vi.spyOn(inbox, 'documents')
    await expect(collect.look()).rejects.toThrow('the disk is full')
    expect(read).not.toHaveBeenCalled()
  })

  it('brings nobody back who left while the clock of the machine was slow', async () => {
    const { open, write } = stage()
    const { collect, store, collecting, ids } = open()
    await write([[ada, ago(10)]])
    await collect.toTheEnd()
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - HOUR * 1000)
    await store.standings.unsubscribe(ids.of(ada))
    expect((await store.standings.of(ada))?.at.getTime()).toBeGreaterThan(ago(11).getTime())
    // Nor does it keep a look from being due.
    expect((await collecting.state())?.lookedAt.day).toBeGreaterThan(Date.now() / 1000)
    now.mockRestore()
    await collect.tell()
    const fresh = open()
    await fresh.collect.toTheEnd({ takeOver: true })
    expect(await fresh.standingOf(ada)).toBe('unsubscribed')
  })

  it('waits while Google is away, and is said to', async () => {
    const proxy = await startPausingProxy(emulator().origin)
    const { open, write } = inboxStage(emulator().origin, proxy.origin)
    const { collect, emails } = open()
    await write([[ada, ago(9)]])
    await collect.toTheEnd()
    await write([[bob, ago(8)]])
    proxy.pause()
    await expect(collect.toTheEnd()).rejects.toThrow(StoreUnavailable)
    proxy.resume()
    await collect.toTheEnd()
    expect(await emails()).toEqual([ada, bob])
    await proxy.close()
  })
})

describe('one list takes in', { timeout: 300_000 }, () => {
  const emulator = withFirestoreEmulator()
  const stage = () => inboxStage(emulator().origin)

  it('and another is refused before it reads, until it takes over; then the former one is', async () => {
    const { open, write, requests } = stage()
    await write([[ada, ago(60)]])
    const [one, other] = [open(), open(undefined, 'desktop')]
    await one.collect.toTheEnd()
    const read = vi.spyOn(other.inbox, 'documents')
    await expect(other.collect.toTheEnd()).rejects.toThrow(
      /Firestore is taken in by the list on laptop, last at/,
    )
    expect(read).not.toHaveBeenCalled()
    expect(await other.emails()).toEqual([])
    const says = vi.fn()
    await other.collect.toTheEnd({ takeOver: true, takesOver: says })
    expect(says).toHaveBeenCalledOnce()
    expect(await other.emails()).toEqual([ada])
    await expect(one.collect.check()).rejects.toThrow(InboxTaken)
    await write([[bob, ago(9)]], requests)
    await expect(one.collect.takeInRequests(asked, ago(DAY))).rejects.toThrow(InboxTaken)
    expect((await requests.get()).docs.map((request) => request.get('email'))).toEqual([bob])
    await other.collect.toTheEnd()
  })

  it('of two at once; one that was killed after its claim goes on', async () => {
    const { open, newFolder, write } = stage()
    await write([[ada, ago(60)]])
    const [folders, both] = [[newFolder(), newFolder()], [] as ReturnType<typeof open>[]]
    for (const folder of folders) both.push(open(folder))
    // Killed between the claim and the first read.
    for (const { inbox } of both)
      vi.spyOn(inbox, 'documents').mockRejectedValue(new StoreUnavailable('killed'))
    const ends = await Promise.allSettled(both.map(({ collect }) => collect.toTheEnd()))
    const why = ends.map((end) => String(end.status === 'rejected' && end.reason.name))
    expect(why.toSorted()).toEqual(['InboxTaken', 'StoreUnavailable'])
    const own = why.indexOf('StoreUnavailable')
    await open(folders[own]).collect.toTheEnd()
    await expect(open(folders[1 - own]).collect.toTheEnd()).rejects.toThrow(InboxTaken)
  })

  it('with all its noes: an older copy of it is refused', async () => {
    const { open, newFolder, write, claim } = stage()
    const folder = newFolder()
    const { collect, store, ids } = open(folder)
    await write([[ada, ago(60)]])
    await collect.toTheEnd()
    await store.standings.unsubscribe(ids.of(ada))
    await collect.tell()
    expect((await claim.get()).get('noes')).toBe(1)
    // As it was before.
    const { noes: _, ...state } = (await open(folder).collecting.state()) ?? {}
    await open(folder).collecting.change({ ...state, noes: 0 })
    await expect(open(folder).collect.toTheEnd()).rejects.toThrow(/older copy of the list/)
  })

  it('and where its machine is lost, an empty one brings nobody back who left', async () => {
    const { open, write, claim } = stage()
    const lost = open()
    await write([ada, bob, cy].map((email) => [email, ago(60)] as const))
    await lost.collect.toTheEnd()
    await lost.store.standings.unsubscribe(lost.ids.of(ada))
    await lost.store.standings.forget(bob)
    await lost.collect.tell()
    const noes = await claim.collection('noes').get()
    expect(noes.docs.map((no) => no.get('standing')).toSorted()).toEqual([
      'forgotten',
      'unsubscribed',
    ])
    expect(JSON.stringify(noes.docs.map((no) => [no.id, no.data()]))).not.toContain('example')

    const fresh = open()
    await expect(fresh.collect.toTheEnd()).rejects.toThrow(InboxTaken)
    await fresh.collect.toTheEnd({ takeOver: true })
    expect((await fresh.emails()).toSorted()).toEqual([ada, cy])
    expect(await fresh.standingOf(ada)).toBe('unsubscribed')
    expect(await fresh.standingOf(cy)).toBeUndefined()
    // Nor does an old file, at once.
    await fresh.store.list.importAll([{ email: bob, subscribedAt: ago(DAY) }])
    expect((await fresh.emails()).toSorted()).toEqual([ada, cy])
  })

  it('and keeps each no at Google once, though it is killed while it tells', async () => {
    const { open, newFolder, write, claim } = stage()
    const folder = newFolder()
    const { collect, store, ids, collecting, inbox } = open(folder)
    await write([[ada, ago(60)]])
    await collect.toTheEnd()
    await store.standings.unsubscribe(ids.of(ada))
    const keep = vi.spyOn(inbox, 'keepNoes').mockRejectedValueOnce(new StoreUnavailable('killed'))
    await expect(collect.tell()).rejects.toThrow('killed')
    keep.mockRestore()
    vi.spyOn(collecting, 'noteTold').mockRejectedValueOnce(new StoreUnavailable('killed'))
    await expect(
      open(folder)
        .collect.tell()
        .then(() => collect.tell()),
    ).resolves.toBeUndefined()
    expect((await claim.collection('noes').get()).size).toBe(1)
    await collect.toTheEnd()
  })
})

describe('who is forgotten', { timeout: 300_000 }, () => {
  const emulator = withFirestoreEmulator()

  it('is erased at Google too, sealed until then, and comes back by a later sign-up alone', async () => {
    const { open, write, list, requests } = inboxStage(emulator().origin)
    const { collect, store, collecting, emails } = open()
    await write([...Array.from({ length: 450 }, () => [ada, ago(60)] as const), [bob, ago(60)]])
    await write([[ada, ago(50)]], requests)
    await collect.toTheEnd()
    await store.standings.forget(ada)
    expect(await collecting.countErasures()).toBe(1)
    await write([[ada, new Date(Date.now() + 60_000)]])
    await collect.toTheEnd()
    expect(await collecting.countErasures()).toBe(0)
    expect((await list.where('email', '==', ada).get()).size).toBe(1)
    expect((await requests.get()).docs.map((one) => one.data())).toEqual([{}])
    expect((await emails()).toSorted()).toEqual([ada, bob])
    expect((await collecting.state())?.missing).toBe(0)
  })

  it('is erased there too where a document came late, and where the list that had to do it is lost', async () => {
    const { open, write, list } = inboxStage(emulator().origin)
    const { collect, store, emails } = open()
    await write([[ada, ago(60)]])
    await collect.toTheEnd()
    await store.standings.forget(ada)
    await collect.tell()
    await write([[ada, ago(30)]])
    await collect.toTheEnd()
    expect((await list.get()).size).toBe(0)
    expect(await emails()).toEqual([])

    await write([[bob, ago(20)]])
    await collect.toTheEnd()
    await store.standings.forget(bob)
    // Its no was told, and the machine was lost before it was erased.
    vi.spyOn(store.collecting, 'countErasures').mockResolvedValue(0)
    await collect.tell()
    const later = new Date(Date.now() + 60_000)
    await write([[bob, later]])
    await open().collect.toTheEnd({ takeOver: true })
    expect((await list.get()).docs.map((one) => one.get('subscribedAt').toDate())).toEqual([later])
  })

  it('is erased there too where it was a robot that the operator erased', async () => {
    const { open, write, list } = inboxStage(emulator().origin)
    const { collect, store, standingOf } = open()
    await write(
      Array.from({ length: 20 }, (_, n) => [`robot${n}@mailinator.com`, ago(20 - n)] as const),
    )
    await collect.toTheEnd()
    expect(await standingOf('robot19@mailinator.com')).toBe('quarantined')
    await store.quarantine.erase(['robot19@mailinator.com'])
    await collect.tell()
    expect((await list.get()).size).toBe(19)
  })
})

describe('requests to confirm', { timeout: 300_000 }, () => {
  const emulator = withFirestoreEmulator()
  const since = ago(14 * DAY)

  it('wait in the outbox once each, with their time, and are emptied', async () => {
    const { open, write, requests } = inboxStage(emulator().origin)
    const { collect, store, standingOf } = open()
    await store.standings.set([{ email: cy, standing: 'unsubscribed' }])
    await write(
      [
        [ada, ago(60)],
        [ada, ago(50)],
        [bob, ago(20 * DAY)],
        [cy, ago(60)],
        [probeAddress(), ago(60)],
      ],
      requests,
    )
    expect(await collect.takeInRequests(asked, since)).toBe(false)
    await store.inbox.takeInAll()
    expect((await store.requests.counts()).waiting).toBe(1)
    expect((await requests.get()).docs.map((one) => one.data())).toEqual(Array(5).fill({}))
    expect(await standingOf(cy)).toBe('unsubscribed')
    const { operations } = await countingOperations(() => collect.takeInRequests(asked, since))
    expect(operations).toEqual({ reads: 1, writes: 0, deletes: 0 })
  })

  it('are asked once, though it is killed before they are emptied', async () => {
    const { open, newFolder, write, requests } = inboxStage(emulator().origin)
    const folder = newFolder()
    const { collect, inbox } = open(folder)
    await write(
      [
        [ada, ago(60)],
        [ada, ago(50)],
        [bob, ago(40)],
      ],
      requests,
    )
    vi.spyOn(inbox, 'emptyRequests').mockRejectedValueOnce(new StoreUnavailable('killed'))
    await expect(collect.takeInRequests(asked, since)).rejects.toThrow('killed')
    const { store, collect: again } = open(folder)
    await again.takeInRequests(asked, since)
    await store.inbox.takeInAll()
    expect((await store.requests.counts()).waiting).toBe(2)
    expect((await requests.get()).docs.map((one) => one.data())).toEqual(Array(3).fill({}))
  })
})
