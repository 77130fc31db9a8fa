/** @module-tag thorough */
import { DatabaseSync } from 'node:sqlite'
import { Query } from '@google-cloud/firestore'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'
import { countingOperations } from '../../emulators/count-operations.ts'
import { firestoreRest } from '../../emulators/firestore-rest.ts'
import { withFirestoreEmulator } from '../../emulators/with-emulators.ts'
import { ids } from '../../fixtures/keys.ts'
import { people, person } from '../contracts/people.ts'
import { newProject, openFirestore } from '../every-store.ts'

const appId = 'our-product'
const MANY = 300

describe('looking through a list in Firestore', { timeout: 120_000 }, () => {
  const emulator = withFirestoreEmulator()

  async function stage() {
    const { origin } = emulator()
    const project = await newProject(origin, { appId })
    const open = () => {
      const store = openFirestore(origin, project, { appId })
      onTestFinished(() => store.close())
      return store
    }
    onTestFinished(async () => void (await firestoreRest(origin, project).clear()))
    const store = open()
    for (let i = 0; i < MANY; i += 100) await store.list.importAll(people(MANY).slice(i, i + 100))
    await store.people.page({ limit: 50 })
    return { store, open }
  }

  const readsOf = async (work: () => Promise<unknown>) =>
    (await countingOperations(work)).operations.reads

  it('costs two reads for each person shown, and none for those who are looked through', async () => {
    const { store } = await stage()
    const reads = (part: string) => readsOf(() => store.people.page({ part, limit: 50 }))
    expect(await reads('nobody is so called')).toBe(0)
    expect(await reads(person(77).email)).toBe(2)
    expect(await reads('person')).toBe(100)
  })

  it('reads a few documents to begin with, for any number of people', async () => {
    const { open } = await stage()
    const other = open()
    const shown = 2 * 50
    // The version, a page of the summary for each thousand, and two counts.
    expect(await readsOf(() => other.people.page({ limit: 50 }))).toBeLessThan(shown + 15)
  })

  it('asks again where Firestore failed once', async () => {
    const { store } = await stage()
    const [bob, eve] = [person(8).email, person(9).email]
    await store.standings.set([{ email: bob, standing: 'bounced' }])
    const source = { source: 'hn' }
    await store.restore.sources([{ addressId: ids.of(eve), source, at: new Date(0) }])
    const failing = vi.spyOn(Query.prototype, 'get')
    onTestFinished(() => failing.mockRestore())
    for (const [wanted, found] of [
      [{ standing: 'bounced' as const }, bob],
      [{ source: 'hn' }, eve],
    ] as const) {
      failing.mockImplementationOnce(async () => {
        throw Object.assign(new Error('UNAVAILABLE'), { code: 14 })
      })
      const ask = () => store.people.page({ ...wanted, limit: 50 })
      await expect(ask()).rejects.toThrow(StoreUnavailable)
      expect((await ask()).people.map(({ email }) => email)).toEqual([found])
    }
  })

  it('for a milestone costs one read where too few came for the next', async () => {
    const { store } = await stage()
    await store.notices.noteMilestones(new Date())
    // And one for the version, every few seconds.
    expect(await readsOf(() => store.notices.noteMilestones(new Date()))).toBeLessThanOrEqual(2)
  })

  it('lets go of every file that it reads into, also when it is broken off', async () => {
    const { store } = await stage()
    const opening = vi.spyOn(DatabaseSync.prototype, 'exec')
    onTestFinished(() => opening.mockRestore())
    const files = () => new Set(opening.mock.contexts as DatabaseSync[])
    const open = () => [...files()].filter(({ isOpen }) => isOpen).length
    await store.list.overview(new Date(0), () => {})
    const stop = () => {
      throw new Error('stop')
    }
    await expect(store.list.overview(new Date(0), stop)).rejects.toThrow('stop')
    await store.list.countByStanding()
    for await (const _ of store.list.stream()) break
    expect(files().size).toBeGreaterThanOrEqual(4)
    expect(open()).toBe(0)
    // This one is kept for those who ask next, until the list is read again.
    await store.people.page({ standing: 'bounced', limit: 50 })
    expect(open()).toBe(1)
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000)
    onTestFinished(() => clock.mockRestore())
    await store.people.page({ limit: 1 })
    await expect.poll(open).toBe(0)
  })

  it('finishes a search while the list is read again for others', async () => {
    const { store } = await stage()
    const { email } = person(8)
    await store.standings.set([{ email, standing: 'bounced' }])
    const source = { source: 'hn' }
    await store.restore.sources([{ addressId: ids.of(email), source, at: new Date(0) }])
    const wanted = { standing: 'bounced', limit: 50 } as const
    await store.people.page(wanted)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const { get } = Query.prototype
    const asking = vi.spyOn(Query.prototype, 'get').mockImplementationOnce(async function (
      this: import('@google-cloud/firestore').Query,
    ) {
      await held
      return get.call(this)
    })
    onTestFinished(() => asking.mockRestore())
    const search = store.people.page({ ...wanted, ...source })
    await expect.poll(() => asking.mock.calls.length).toBe(1)
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000)
    onTestFinished(() => clock.mockRestore())
    await store.people.page({ limit: 1 })
    clock.mockRestore()
    release()
    expect((await search).people).toMatchObject([{ email, standing: 'bounced' }])
  })

  it('shows who signed up elsewhere a minute later', async () => {
    const { store, open } = await stage()
    const find = async () => (await store.people.page({ part: 'new@', limit: 50 })).people.length
    await open().list.add('new@example.com')
    expect(await find()).toBe(0)
    const now = Date.now()
    const clock = vi.spyOn(Date, 'now').mockReturnValue(now + 61_000)
    onTestFinished(() => clock.mockRestore())
    expect(await find()).toBe(1)
  })

  it('shows nobody who was forgotten elsewhere since, and keeps no letter of them', async () => {
    const { store, open } = await stage()
    await open().standings.forget(person(9).email)
    const page = await store.people.page({ part: person(9).email, limit: 50 })
    expect(page).toEqual({ people: [], found: 0, isMore: false })
  })
})
