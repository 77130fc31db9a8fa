import { describe, expect, it } from 'vitest'
import { countRun, keptProspects, recipients } from '../../src/announcement/outlook.ts'
import type { RecipientSelection } from '../../src/announcement/run-options.ts'
import { noSuppressions } from '../../src/store/delivery-ledger.ts'
import { enlist } from '../fixtures/enlist.ts'
import { setStage } from '../fixtures/stage.ts'
import { suppressedOf } from '../fixtures/tally.ts'
import { person } from '../store/contracts/people.ts'

type Stage = Awaited<ReturnType<typeof setStage>>

const minute = (n: number) => new Date(Date.UTC(2026, 1, 1) + n * 60_000)

async function named({ store }: Stage, selection: RecipientSelection) {
  const ahead = await countRun(store, selection)
  const found: string[] = []
  for await (const page of recipients(store, selection, ahead))
    found.push(...page.map(({ email }) => email))
  expect(ahead.toSend).toBe(found.length)
  const kept: string[] = []
  const again = await countRun(store, selection, keptProspects())
  for await (const page of recipients(store, selection, again))
    kept.push(...page.map(({ email }) => email))
  expect(kept).toEqual(found)
  return { found, leftOut: ahead.leftOut }
}

it('an address that no letter can be sent to is kept, gets none, and is in the balance with the reason', async () => {
  const stage = await setStage(3)
  const unmailable = ['root@[127.0.0.1]', '"vic<tim"@example.com'] as const
  for (const email of unmailable) await stage.store.list.add(email)
  const dry = await named(stage, { id: 'launch' })
  expect(dry.leftOut).toMatchObject({ unmailable: 2 })
  const { balance, why } = await stage.run({ stopShare: 0.01 })
  expect(why).toBe('done')
  expect(balance).toMatchObject({ holds: true, eligible: 5, tally: { sent: 3, suppressed: 2 } })
  expect(await suppressedOf(stage.store, 'launch')).toMatchObject({ unmailable: 2 })
  expect(stage.inboxes().toSorted()).toEqual(dry.found.toSorted())
  for (const email of unmailable) expect(await stage.store.list.find(email)).toBeDefined()
})

it('nobody is failed who was in the queue from before with such an address', async () => {
  const { store, run, inboxes } = await setStage(1)
  const email = 'root@[127.0.0.1]'
  await store.list.importAll([{ email, subscribedAt: minute(1) }])
  await store.lock.acquire({ owner: 'before', host: 'here', pid: 7 }, 60_000)
  await store.ledger.begin('before', 'launch', { subject: 'We are live', digest: 'one' })
  await enlist(store, 'before', 'launch', [{ email }])
  await store.lock.release('before')
  const { why, balance } = await run({ stopShare: 0.01 })
  expect(why).toBe('done')
  expect(balance).toMatchObject({ holds: true, tally: { sent: 1, failed: 0, suppressed: 1 } })
  expect(await suppressedOf(store, 'launch')).toMatchObject({ unmailable: 1 })
  expect(inboxes()).toEqual([person(1).email])
})

describe('whoever got an earlier announcement', () => {
  const again = (also?: RecipientSelection['alsoWhoGot']): RecipientSelection => ({
    id: 'launch2',
    alsoWhoGot: also,
  })

  it('is left out of the next one, and in its balance', async () => {
    const stage = await setStage(10, (to) => (to === person(2).email ? 'refuse' : 'accept'))
    await stage.run({ first: () => 8 })
    const before = stage.inboxes().length
    const dry = await named(stage, again())
    expect(dry.found).toEqual([2, 9, 10].map((n) => person(n).email))
    expect(dry.leftOut).toEqual({ ...noSuppressions(), mailbox: 0, told: 7 })
    const { balance } = await stage.run({ ...again(), first: () => 2 })
    expect(stage.inboxes().slice(before)).toEqual([person(9).email])
    expect(balance).toMatchObject({ holds: true, tally: { failed: 1, suppressed: 7, queued: 1 } })
  })

  it('is told when that is asked for, from the start or later', async () => {
    const stage = await setStage(4)
    await stage.run()
    expect((await named(stage, again(['launch']))).found).toHaveLength(4)
    expect((await stage.run(again())).balance).toMatchObject({ tally: { suppressed: 4, sent: 0 } })
    expect((await named(stage, again())).leftOut).toEqual({
      ...noSuppressions(),
      mailbox: 0,
      told: 4,
    })
    expect((await named(stage, again('all'))).found).toHaveLength(4)
    expect((await stage.run(again('all'))).balance).toMatchObject({
      holds: true,
      tally: { sent: 4 },
    })
    expect(stage.inboxes()).toHaveLength(8)
    const third = await stage.run({ id: 'launch3', alsoWhoGot: ['launch'] })
    expect(third.balance).toMatchObject({ holds: true, tally: { suppressed: 4 } })
  })

  it('stays left out where that is asked for of one announcement, and they got another one too', async () => {
    const stage = await setStage(2)
    await stage.run()
    await stage.run({ ...again('all'), first: () => 1 })
    await stage.run({ id: 'launch3' })
    const third = { id: 'launch3', alsoWhoGot: ['launch'] }
    expect((await named(stage, third)).found).toEqual([person(2).email])
    const before = stage.inboxes().length
    await stage.run(third)
    expect(stage.inboxes().slice(before)).toEqual([person(2).email])
  })

  it('is told in the end when that was asked for once: their row stands', async () => {
    const stage = await setStage(4)
    await stage.run()
    await stage.run({ ...again('all'), first: () => 1 })
    expect(await named(stage, again())).toEqual({
      found: [2, 3, 4].map((n) => person(n).email),
      leftOut: { ...noSuppressions(), mailbox: 0, told: 0 },
    })
    await stage.run(again())
    expect(stage.inboxes()).toHaveLength(8)
  })
})

describe('whoever is quarantined', () => {
  const robots = Array.from({ length: 4 }, (_, n) => `r.obot+${n}@gmail.com`)

  async function withRobots() {
    const stage = await setStage(3)
    for (const email of robots) await stage.store.list.add(email, { suspicion: 'hidden-field' })
    return stage
  }

  it('is left out and counted, before and after', async () => {
    const stage = await withRobots()
    const dry = await named(stage, { id: 'launch' })
    expect(dry.leftOut).toEqual({ ...noSuppressions(), quarantined: 4 })
    expect(dry.found).toHaveLength(3)
    expect((await named(stage, { id: 'launch', first: () => 2 })).found).toHaveLength(2)
    const { balance } = await stage.run()
    expect(stage.inboxes()).toHaveLength(3)
    expect(balance).toMatchObject({ holds: true, eligible: 7, tally: { sent: 3, suppressed: 4 } })
    expect(await suppressedOf(stage.store, 'launch')).toMatchObject({ quarantined: 4 })
    expect((await named(stage, { id: 'launch' })).leftOut.quarantined).toBe(4)
  })

  it('gets it as a newcomer does once they are released, and three to a mailbox at most', async () => {
    const stage = await withRobots()
    await stage.run()
    await stage.store.quarantine.release(robots)
    expect((await named(stage, { id: 'launch' })).found).toEqual([])
    await stage.run()
    expect(stage.inboxes()).toHaveLength(3)
    const dry = await named(stage, { id: 'launch', includeNew: true })
    expect(dry.found).toEqual(robots.slice(0, 3))
    const { balance } = await stage.run({ includeNew: true })
    expect(stage.inboxes().slice(3).toSorted()).toEqual(robots.slice(0, 3))
    expect(balance).toMatchObject({ holds: true, eligible: 7, tally: { sent: 6, suppressed: 1 } })
    await stage.run({ includeNew: true })
    expect(stage.inboxes()).toHaveLength(6)
  })

  it('is not told again when they are released between stages and got an earlier one, which is the reason then', async () => {
    const stage = await setStage(3)
    await stage.run()
    const { email } = person(2)
    await stage.store.standings.set([{ email, standing: 'unsubscribed' }])
    await stage.store.list.add(email, { suspicion: 'hidden-field' })
    await stage.store.list.add('new@example.com')
    await stage.run({ id: 'launch2', first: () => 0 })
    await stage.store.quarantine.release([email])
    for (const [includeNew, quarantined] of [
      [false, 1],
      [true, 0],
    ] as const) {
      const why = { told: 3 - quarantined, quarantined }
      const { leftOut } = await named(stage, { id: 'launch2', includeNew })
      expect(leftOut).toMatchObject(why)
      const { balance } = await stage.run({ id: 'launch2', includeNew })
      expect(balance).toMatchObject({ holds: true, tally: { sent: 1, suppressed: 3 } })
      expect(await suppressedOf(stage.store, 'launch2')).toMatchObject(why)
    }
    expect(stage.inboxes()).toHaveLength(4)
  })

  it('is listed by a dry run once released, where the first run ended while it enlisted', async () => {
    const stage = await withRobots()
    await stage.run({ first: () => 1 })
    await stage.store.quarantine.release(robots.slice(0, 1))
    await stage.store.lock.acquire({ owner: 'x', host: 'here', pid: 1 }, 60_000)
    await stage.store.ledger.begin('x', 'launch', { subject: '', digest: '' }, true)
    await stage.store.lock.release('x')
    const { found } = await named(stage, { id: 'launch' })
    expect(found).toContain(robots[0])
    await stage.run()
    expect(stage.inboxes()).toHaveLength(4)
  })
})
