import { describe, expect, it } from 'vitest'
import type { PeopleWanted } from '../../src/store/people.ts'
import { eachHasStore, store } from '../fixtures/each-store.ts'
import { ids } from '../fixtures/keys.ts'
import { sourceKept } from '../fixtures/source-of.ts'
import { people, person } from './contracts/people.ts'

describe('the store, of people', () => {
  eachHasStore()

  const page = (wanted: Partial<PeopleWanted> = {}) => store.people.page({ limit: 50, ...wanted })
  const emails = async (wanted?: Partial<PeopleWanted>) =>
    (await page(wanted)).people.map(({ email }) => email)

  /** All pages, one after the other. */
  async function all(wanted: Partial<PeopleWanted>) {
    const found: string[] = []
    let after: string | undefined
    do {
      const { people, next } = await page({ ...wanted, ...(after && { after }) })
      found.push(...people.map(({ email }) => email))
      after = next
    } while (after !== undefined)
    return found
  }

  const named = (names: readonly string[]) =>
    store.list.importAll(
      names.toReversed().map((email) => ({ email, subscribedAt: person(1).subscribedAt })),
    )

  it('gives everybody once, page by page, who came last first', async () => {
    await store.list.importAll(people(25))
    const newestFirst = people(25)
      .map(({ email }) => email)
      .toReversed()
    expect(await all({ limit: 10 })).toEqual(newestFirst)
    expect(await all({ limit: 10, part: 'person' })).toEqual(newestFirst)
    expect(await all({ limit: 25 })).toEqual(newestFirst)
    expect(await page({ limit: 10 })).toMatchObject({ found: 25, isMore: false })
    expect(await page({ limit: 10, part: 'person' })).toMatchObject({ found: 25, isMore: false })
  })

  it('finds an address by any part of it, and nobody else', async () => {
    await named(['ada@example.com', 'bob@example.org', 'adam@ada.example', '"a%_"@example.net'])
    expect(await emails({ part: 'ada' })).toEqual(['ada@example.com', 'adam@ada.example'])
    expect(await emails({ part: '@example.org' })).toEqual(['bob@example.org'])
    expect(await emails({ part: 'example.com' })).toEqual(['ada@example.com'])
    expect(await emails({ part: 'ada@example.com' })).toEqual(['ada@example.com'])
    expect(await emails({ part: '%' })).toEqual(['"a%_"@example.net'])
    for (const part of ['b*b', 'com\nbob', "'; --", 'comb'])
      expect(await emails({ part })).toEqual([])
  })

  it('finds addresses of other letters', async () => {
    await named(['zoë@example.com', 'jörg@example.com', '名@example.com'])
    expect(await emails({ part: 'oë' })).toEqual(['zoë@example.com'])
    expect(await emails({ part: '名' })).toEqual(['名@example.com'])
    expect(await emails({ part: 'example' })).toHaveLength(3)
  })

  it('finds those of a time', async () => {
    await store.list.importAll(people(5))
    const [since, until] = [person(2).subscribedAt, person(4).subscribedAt]
    for (const part of [undefined, 'person']) {
      expect(await emails({ part, since, until })).toEqual([person(3).email, person(2).email])
      expect(await page({ part, since, until })).toMatchObject({ found: 2 })
      expect(await all({ part, until, limit: 1 })).toEqual([3, 2, 1].map((n) => person(n).email))
      expect(await all({ part, since, limit: 2 })).toEqual([5, 4, 3, 2].map((n) => person(n).email))
      expect(await emails({ part, since: until, until: since })).toEqual([])
    }
  })

  it('finds those who stand alike, and says since when and why', async () => {
    await store.list.importAll(people(4))
    await store.standings.set([
      { email: person(1).email, standing: 'bounced', detail: '550 no such user' },
      { email: person(3).email, standing: 'bounced' },
      { email: 'stranger@example.com', standing: 'bounced' },
    ])
    await store.standings.unsubscribe(ids.of(person(4).email))
    expect(await emails({ standing: 'bounced' })).toEqual([person(3).email, person(1).email])
    expect(await all({ standing: 'bounced', limit: 1 })).toHaveLength(2)
    expect(await emails({ standing: 'subscribed' })).toEqual([person(2).email])
    expect(await emails({ standing: 'unsubscribed', part: 'person4' })).toEqual([person(4).email])
    expect(await emails({ standing: 'unsubscribed', part: 'person1' })).toEqual([])
    const [, first] = (await page({ standing: 'bounced' })).people
    expect(first).toEqual({
      ...person(1),
      addressId: ids.of(person(1).email),
      standing: 'bounced',
      standingAt: expect.any(Date),
      detail: '550 no such user',
      isImported: true,
    })
  })

  it('finds those who gave an answer, beside every other filter', async () => {
    for (const [name, said] of [
      ['ada', 'Bonn'],
      ['bob', 'Bochum'],
      ['cleo', undefined],
    ] as const) {
      await store.list.add(`${name}@example.com`)
      if (said) await store.replies.keep(`${name}@example.com`, said)
    }
    const isReply = (answer: string) => answer.startsWith('Bo')
    expect((await emails({ isReply })).toSorted()).toEqual(['ada@example.com', 'bob@example.com'])
    expect(await emails({ isReply, part: 'ada' })).toEqual(['ada@example.com'])
    expect(await emails({ isReply: (answer) => answer === '' })).toEqual([])
    expect(await emails({ isReply, standing: 'unsubscribed' })).toEqual([])
  })

  it('finds those of a source, and says whose', async () => {
    await store.list.add('ada@example.com', { source: { source: 'hn', campaign: 'launch' } })
    await store.list.add('bob@example.com', { source: { source: 'x' } })
    await store.list.add('eve@example.com')
    await expect.poll(() => sourceKept(store, 'bob@example.com')).toBeDefined()
    expect(await emails({ source: 'hn' })).toEqual(['ada@example.com'])
    expect(await emails({ source: 'nowhere' })).toEqual([])
    expect(await emails({ source: 'hn', standing: 'bounced' })).toEqual([])
    expect(await emails({ source: 'x', standing: 'subscribed' })).toEqual(['bob@example.com'])
    const sources = (await page({ part: '@' })).people.map(({ source }) => source?.source)
    expect(new Set(sources)).toEqual(new Set(['hn', 'x', undefined]))
  })

  it('shows nobody who was forgotten since the last look', async () => {
    await store.list.importAll(people(5))
    expect(await emails({ part: 'person' })).toHaveLength(5)
    // The newest one first: an import may take their place.
    for (const n of [5, 2]) await store.standings.forget(person(n).email)
    const left = [4, 3, 1].map((n) => person(n).email)
    expect(await emails({ part: 'person' })).toEqual(left)
    expect(await emails({ part: person(2).email })).toEqual([])
    expect(await page({ part: 'person' })).toMatchObject({ found: 3, isMore: false })
  })

  it('leads from an id to its address, however old, and from one that was forgotten to none', async () => {
    await store.list.importAll(people(5))
    for (const n of [1, 5])
      expect((await store.people.of(ids.of(person(n).email))).email).toBe(person(n).email)
    expect((await store.people.of(ids.of('stranger@example.com'))).email).toBeUndefined()
    for (const id of ['', 'x', '%', ids.of(person(1).email).slice(1), "' OR 1=1 --"])
      expect((await store.people.of(id)).email).toBeUndefined()
  })

  it('finds somebody far down the list, and counts no further than it takes long', async () => {
    const found = (part: string) => page({ part, limit: 2 })
    for (let n = 0; n < 9000; n += 1000)
      await store.list.importAll(Array.from({ length: 1000 }, (_, i) => person(n + i)))
    expect(await found('person17@')).toMatchObject({
      people: [person(17)],
      found: 1,
      isMore: false,
    })
    const { next, ...first } = await found('person')
    expect(first).toMatchObject({ people: [person(8999), person(8998)], isMore: true })
    const second = await page({ part: 'person', limit: 1, after: next ?? '' })
    expect(second.people).toMatchObject([person(8997)])
  })

  it('begins anew for a place that is none', async () => {
    await store.list.importAll(people(3))
    for (const after of ['', 'x', '9'.repeat(15), '9'.repeat(17), '-', '1e9', "1' OR 1-1"])
      expect(await emails({ after })).toHaveLength(3)
    expect(await emails({ after: '0' })).toEqual([])
  })

  it('stops when nobody waits for it any more', async () => {
    await store.list.importAll(people(3))
    const signal = AbortSignal.abort(new Error('left'))
    await expect(page({ part: 'person', signal })).rejects.toThrow('left')
  })
})
