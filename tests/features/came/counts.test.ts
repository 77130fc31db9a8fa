import { describe, expect, it } from 'vitest'
import { noteCame } from '../../../src/features/came/note-came.ts'
import { cameIn } from '../../../src/features/came/rules.ts'
import { type CameGroup, cameInBrief, whoCame } from '../../../src/features/came/who-came.ts'
import { groupings } from '../../../src/people/known-fields.ts'
import { emptySqlite } from '../../fixtures/empty-sqlite.ts'
import { keepAnnouncement } from '../../fixtures/keep-announcement.ts'
import { ids } from '../../fixtures/keys.ts'
import { restoreKnown, restoreSources } from '../../fixtures/restored.ts'
import { people } from '../../store/contracts/people.ts'
import { chance } from '../../torture/form.ts'

const SEED = 20_261_125
const DAY = 86_400_000

describe('who became a user, in the store', () => {
  async function opened() {
    const store = await emptySqlite()
    const note = (email: string, at: Date) => noteCame(store, ids.of, [{ email, at }])
    const whenCame = async (email: string) => {
      for await (const one of store.list.stream({ standing: 'all' }))
        if (one.email === email) return cameIn(one.extra)
      return undefined
    }
    return { store, note, whenCame }
  }

  it('is kept of people on the list alone, once, and is gone when they are forgotten', async () => {
    const { store, note, whenCame } = await opened()
    await store.list.add('ada@example.com')
    const at = new Date('2026-11-20T10:00:00.000Z')
    expect(await note('ada@example.com', at)).toEqual([true])
    expect(await note('ada@example.com', new Date())).toEqual([true])
    expect(await whenCame('ada@example.com')).toEqual(at)
    expect(
      (await store.requests.changePending(ids.of('ada@example.com'), (result) => ({ result })))
        .came,
    ).toEqual(at)

    expect(await note('bob@example.com', at)).toEqual([false])
    await store.list.add('bob@example.com')
    expect(await whenCame('bob@example.com')).toBeUndefined()

    await store.standings.forget('ada@example.com')
    expect(await note('ada@example.com', at)).toEqual([false])
    await store.list.add('ada@example.com')
    expect(await whenCame('ada@example.com')).toBeUndefined()
  })

  it('is counted of those told as a plain reading of the rows counts it', async () => {
    const { store, note } = await opened()
    const random = chance(SEED)
    const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T
    const told = new Map<string, { at: number; letter: string }>()
    const sure = new Set<string>()
    const [came, source] = [new Map<string, number>(), new Map<string, string>()]
    const [answer, friend] = [new Map<string, string>(), new Map<string, string>()]
    const everybody = people(60)
    await store.list.importAll(everybody)
    const begunAt = Date.now() - 30 * DAY
    for (const [i, letter] of ['early', 'launch'].entries()) {
      const at = new Date(begunAt + i * DAY)
      const rows = everybody.flatMap(({ email }) => {
        const status = pick(['sent', 'uncertain', 'failed', 'none'] as const)
        if (status === 'none') return []
        if (status === 'sent') sure.add(email)
        if (status !== 'failed' && !told.has(email)) told.set(email, { at: at.getTime(), letter })
        return [{ email, at, status }]
      })
      await keepAnnouncement(store, letter, at, rows)
    }
    for (const { email } of everybody) {
      if (random() < 0.5) {
        source.set(email, pick(['hn', 'post']))
        await restoreSources(store, [{ email, source: { source: source.get(email) ?? '' } }])
      }
      if (random() < 0.5) {
        const said = pick(['Bread', 'Cake'])
        answer.set(email, said)
        await store.replies.keep(email, said)
      }
      if (random() < 0.5) {
        friend.set(email, 'a friend')
        const referral = { by: ids.of('bob@example.com'), at: new Date(begunAt).toISOString() }
        await restoreKnown(store, [{ addressId: ids.of(email), extra: { referral } }])
      }
      if (random() < 0.5) {
        const at = begunAt + Math.floor((random() * 6 - 1) * DAY)
        came.set(email, at)
        await note(email, new Date(at))
      }
    }
    const gone = everybody[0]?.email ?? ''
    await store.standings.forget(gone)
    told.delete(gone)
    came.delete(gone)

    const after = [...told].flatMap(([email, { at }]) => {
      const wait = (came.get(email) ?? Number.NaN) - at
      return wait >= 0 ? [{ email, wait }] : []
    })
    const by = (nameOf: (email: string) => string | undefined) => {
      const counts: Record<string, { told: number; came: number }> = {}
      for (const email of told.keys()) {
        const name = nameOf(email) ?? '-'
        const { told, came } = counts[name] ?? { told: 0, came: 0 }
        const hasCome = after.some((one) => one.email === email)
        counts[name] = { told: told + 1, came: came + Number(hasCome) }
      }
      return counts
    }
    const asCounts = (groups: readonly CameGroup[]) =>
      Object.fromEntries(groups.map(({ name = '-', ...count }) => [name, count]))

    const found = await whoCame(store)
    const waits = after.map(({ wait }) => wait).sort((a, b) => a - b)
    expect(found).toMatchObject({
      told: told.size,
      uncertain: told.size - sure.size,
      came: after.length,
      others: came.size - after.length,
      medianMs: waits[Math.floor((waits.length - 1) / 2)],
    })
    const { told: all, came: users, medianMs } = found
    expect(await cameInBrief(store)).toEqual({ told: all, came: users, medianMs })
    expect(after.length).toBeGreaterThan(5)
    expect(found.others).toBeGreaterThan(1)
    expect(asCounts(found.letters)).toEqual(by((email) => told.get(email)?.letter))
    expect(found.letters.map(({ name }) => name)).toEqual(['early', 'launch'])
    expect(asCounts(found.sources)).toEqual(by((email) => source.get(email)))
    const said: Readonly<Record<string, ReadonlyMap<string, string>>> = {
      friends: friend,
      answers: answer,
    }
    expect(found.groups.map(asCounts)).toEqual(
      groupings.map(({ name }) => by((email) => said[name]?.get(email))),
    )
    const sum = (groups: readonly CameGroup[]) => groups.reduce((all, one) => all + one.told, 0)
    expect(sum(found.weeks)).toBe(told.size)
  })
})
