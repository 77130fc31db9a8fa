import { describe, expect, it } from 'vitest'
import { mayBeTaken } from '../../src/announcement/run-options.ts'
import { ids } from '../fixtures/keys.ts'
import { namedStage as stage } from '../fixtures/named-stage.ts'
import { nextMillisecond } from '../fixtures/next-millisecond.ts'
import { quick } from '../fixtures/stage.ts'
import { people, person } from '../store/contracts/people.ts'

const emails = (...numbers: number[]) => numbers.map((n) => person(n).email)
const everybody = (count: number) => people(count).map(({ email }) => email)

describe('those who would be written to', () => {
  it('are counted as they are named, in whole and in a stage, with why others are left out', async () => {
    const { count, runAsNamed, store } = await stage(10)
    await store.standings.unsubscribe(ids.of(person(1).email))
    await store.standings.set([{ email: person(4).email, standing: 'bounced' }])
    const halfOfThem = { first: (letters: number) => letters / 2 }
    const before = await count()
    expect(before).toMatchObject({
      eligible: 10,
      toSend: 8,
      leftOut: { unsubscribed: 1, bounced: 1 },
    })
    expect(before.toSendIn(halfOfThem.first)).toBe(4)
    expect(await runAsNamed(halfOfThem)).toHaveLength(4)
    expect((await count()).toSend).toBe(4)
    expect((await count()).toSendIn(halfOfThem.first)).toBe(0)
    expect(await runAsNamed()).toHaveLength(4)
    expect((await count()).toSend).toBe(0)
  })

  it('have those first who referred the most friends, in the run and in its stages', async () => {
    const { named, runAsNamed, run, inboxes } = await stage(8)
    const referred = new Map([
      [person(3).email, 1],
      [person(5).email, 12],
      [person(7).email, 1],
    ])
    expect(await named({ referred })).toEqual(emails(5, 3, 7, 1, 2, 4, 6, 8))
    await runAsNamed({ referred, first: () => 2 })
    expect(inboxes()).toEqual(emails(5, 3))
    // The order is that of the beginning, also for a run that does not say it again.
    await run({ first: () => 3 })
    expect(inboxes().slice(2)).toEqual(emails(7))
    await runAsNamed()
    expect(inboxes()).toHaveLength(8)
  })

  it('are those from before the cut-off where a run died before all had a row', async () => {
    const { named, count, runAsNamed, store } = await stage(3)
    await store.lock.acquire({ owner: 'dead', host: 'here', pid: 1 }, 60_000)
    await store.ledger.begin('dead', 'launch', { subject: 'We are live', digest: 'one' })
    await store.lock.release('dead')
    await store.list.add('late@example.com')
    for (const includeNew of [false, true]) {
      expect(await named({ includeNew })).toEqual(everybody(3))
      expect(await count({ includeNew })).toMatchObject({ eligible: 3, untried: 3, toSend: 3 })
    }
    expect(await runAsNamed({ includeNew: true })).toEqual(everybody(3))
  })

  it('are not those who came since, unless these are asked for', async () => {
    const { runAsNamed, named, count, store } = await stage(3)
    await runAsNamed()
    await expect
      .poll(async () => {
        await store.list.add('late@example.com')
        return named({ includeNew: true })
      })
      .toEqual(['late@example.com'])
    expect(await named()).toEqual([])
    expect(await count()).toMatchObject({ eligible: 3, untried: 0, toSend: 0 })
    expect(await count({ includeNew: true })).toMatchObject({
      eligible: 4,
      untried: 1,
      toSend: 1,
    })
    expect(await runAsNamed({ includeNew: true })).toEqual(['late@example.com'])
  })

  it('are those who came since, whatever else they got, also where somebody was forgotten', async () => {
    const { runAsNamed, run, store } = await stage(3)
    await runAsNamed({ first: () => 1 })
    await store.standings.forget(person(3).email)
    await nextMillisecond()
    await store.list.add('late@example.com')
    await run({ id: 'teaser', alsoWhoGot: 'all' })
    const whole = { includeNew: true, alsoWhoGot: 'all' } as const
    expect(await runAsNamed(whole)).toEqual([person(2).email, 'late@example.com'])
  })

  it('include those that a dead run left `sending`, when the uncertain are retried', async () => {
    const { run, runAsNamed, named, store } = await stage(4)
    await run({ first: () => 1 })
    await store.lock.acquire({ owner: 'dead', host: 'here', pid: 1 }, 60_000)
    await store.ledger.claim('dead', 'launch', { limit: 2, which: 'untried' })
    expect(await named({ retry: 'uncertain' })).toEqual(emails(2, 3))
    await run({ first: () => 0, insteadOf: 'dead' })
    expect(await runAsNamed({ retry: 'uncertain' })).toEqual(emails(2, 3))
    expect(await named()).toEqual(emails(4))
  })

  it('are those who were put off as well, whatever the stage', async () => {
    let heals = false
    const { run, named, count, runAsNamed } = await stage(4, (to) =>
      to === person(1).email && !heals ? 'defer' : 'accept',
    )
    const stop = new AbortController()
    await run({
      first: () => 2,
      signal: stop.signal,
      retryPolicy: { ...quick, backOff: 1, maxBackOff: 1, tries: 1e6 },
      on: {
        settled: () => {},
        enlisting: () => {},
        begun: () => {},
        result: () => {},
        waiting: () => stop.abort(),
      },
    })
    heals = true
    expect(await named({ first: () => 2 })).toEqual(emails(1))
    expect(await count({ first: () => 2 })).toMatchObject({ eligible: 4, untried: 0, toSend: 1 })
    expect(await named()).toEqual(emails(1, 3, 4))
    expect(await runAsNamed()).toEqual(emails(1, 3, 4))
  })
})

it('what may be taken is never less than nothing, nor more than there is', () => {
  const selection = { id: 'launch' }
  expect(mayBeTaken(10, 3, 0, selection)).toBe(7)
  expect(mayBeTaken(3, 10, 0, selection)).toBe(0)
  expect(mayBeTaken(10, 3, 0, { ...selection, first: () => 5 })).toBe(2)
  expect(mayBeTaken(10, 3, 0, { ...selection, first: () => 1 })).toBe(0)
  expect(mayBeTaken(10, 3, 2, { ...selection, first: () => 5 })).toBe(4)
  expect(mayBeTaken(10, 3, 0, { ...selection, first: () => 50 })).toBe(7)
  expect(mayBeTaken(10, 3, 0, { ...selection, retry: 'failed' })).toBe(0)
})

it('a share is one of letters: those who left, before or in the middle, are no part of it', () => {
  const first = (letters: number) => Math.ceil(letters / 100)
  const selection = { id: 'launch', first }
  // 903 rows, of which 62 left before anybody was tried.
  expect(mayBeTaken(903, 0, 0, selection, 841)).toBe(9)
  // Nine were tried, two of them were passed over, and three more left meanwhile.
  expect(mayBeTaken(903, 9, 2, selection, 829)).toBe(2)
})
