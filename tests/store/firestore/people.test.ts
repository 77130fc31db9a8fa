/** @module-tag thorough */
import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { firestoreRules } from '../../../scripts/firestore-rules.ts'
import { countingOperations } from '../../emulators/count-operations.ts'
import { firestoreRest } from '../../emulators/firestore-rest.ts'
import { withFirestoreEmulator } from '../../emulators/with-emulators.ts'
import { people, person } from '../contracts/people.ts'
import { openFirestore } from '../every-store.ts'

const appId = 'our-product'
const MANY = 300

describe('looking through a list in Firestore', { timeout: 120_000 }, () => {
  const emulator = withFirestoreEmulator(firestoreRules(appId))

  async function stage() {
    const { origin } = emulator()
    const project = `demo-${randomUUID()}`
    const open = () => {
      const store = openFirestore(origin, project, { appId })
      onTestFinished(() => store.close())
      return store
    }
    onTestFinished(async () => void (await firestoreRest(origin, project).clear()))
    const store = open()
    for (let i = 0; i < MANY; i += 100) await store.importAll(people(MANY).slice(i, i + 100))
    await store.people({ limit: 50 })
    return { store, open }
  }

  const readsOf = async (work: () => Promise<unknown>) =>
    (await countingOperations(work)).operations.reads

  it('costs two reads for each person shown, and none for those who are looked through', async () => {
    const { store } = await stage()
    const reads = (part: string) => readsOf(() => store.people({ part, limit: 50 }))
    expect(await reads('nobody is so called')).toBe(0)
    expect(await reads(person(77).email)).toBe(2)
    expect(await reads('person')).toBe(100)
  })

  it('reads a few documents to begin with, for any number of people', async () => {
    const { open } = await stage()
    const other = open()
    const shown = 2 * 50
    // The version, a page of the summary for each thousand, and two counts.
    expect(await readsOf(() => other.people({ limit: 50 }))).toBeLessThan(shown + 15)
  })

  it('shows who signed up elsewhere a minute later', async () => {
    const { store, open } = await stage()
    const find = async () => (await store.people({ part: 'new@', limit: 50 })).people.length
    await open().add('new@example.com')
    expect(await find()).toBe(0)
    const now = Date.now()
    const clock = vi.spyOn(Date, 'now').mockReturnValue(now + 61_000)
    onTestFinished(() => clock.mockRestore())
    expect(await find()).toBe(1)
  })

  it('shows nobody who was forgotten elsewhere since, and keeps no letter of them', async () => {
    const { store, open } = await stage()
    await open().forget(person(9).email)
    const page = await store.people({ part: person(9).email, limit: 50 })
    expect(page).toEqual({ people: [], found: 0, isMore: false })
  })
})
