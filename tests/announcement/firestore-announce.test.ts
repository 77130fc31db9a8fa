/** @module-tag thorough */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { countRun } from '../../src/announcement/outlook.ts'
import { roundTripTo } from '../../src/announcement/preflight/speed.ts'
import { type Counted, startCountingProxy } from '../emulators/counting-proxy.ts'
import { startDelayingProxy } from '../emulators/delaying-proxy.ts'
import { withFirestoreEmulator } from '../emulators/with-emulators.ts'
import { ids } from '../fixtures/keys.ts'
import { quiet, setStage } from '../fixtures/stage.ts'
import { people, person } from '../store/contracts/people.ts'
import { emptyFirestore, openFirestore } from '../store/every-store.ts'
import { inLanguages } from './in-languages.ts'

const emails = (count: number) => people(count).map(({ email }) => email)

describe('an announcement to a list in Firestore', () => {
  const emulator = withFirestoreEmulator()

  async function setFirestoreStage(count: number) {
    const store = await emptyFirestore(emulator().origin)
    onTestFinished(() => store.close())
    await store.list.importAll(people(count))
    const { run, ...stage } = await setStage(0)
    return {
      ...stage,
      store,
      run: (options: Parameters<typeof run>[0] = {}) => run({ ...options, store }),
    }
  }

  describe('in several languages', () => inLanguages(() => setFirestoreStage(0)))

  it('reaches everybody once, in stages, and balances after each', async () => {
    const { run, inboxes } = await setFirestoreStage(40)
    const { balance } = await run({ first: () => 5 })
    expect(inboxes().toSorted()).toEqual(emails(5).toSorted())
    expect(balance).toMatchObject({ holds: true, tally: { sent: 5, queued: 35 } })
    await run()
    const again = await run()
    expect(again.balance).toMatchObject({ holds: true, eligible: 40, tally: { sent: 40 } })
    expect(inboxes().toSorted()).toEqual(emails(40).toSorted())
  })

  it('minds who leaves, is forgotten and comes while it runs', { tags: 'long' }, async () => {
    const { run, store, inboxes, oneByOne } = await setFirestoreStage(20)
    const late = 'late@example.com'
    let count = 0
    const first = await run({
      mailer: oneByOne(async () => {
        count += 1
        if (count !== 5) return
        await store.standings.unsubscribe(ids.of(person(15).email))
        await store.standings.forget(person(16).email)
        await store.standings.forget(person(1).email)
        await store.list.add(late)
      }),
    })
    const told = emails(20).filter((_, i) => ![14, 15].includes(i))
    expect(inboxes().toSorted()).toEqual(told.toSorted())
    expect(first.balance).toMatchObject({
      holds: true,
      eligible: 20,
      tally: { sent: 17, suppressed: 1, forgotten: 2 },
    })
    const second = await run({ includeNew: true })
    expect(second.balance).toMatchObject({ holds: true, eligible: 21, tally: { sent: 18 } })
    expect(inboxes().toSorted()).toEqual([late, ...told].toSorted())
  })

  it('mails nobody again whom a run that died may have told', { tags: 'long' }, async () => {
    const { run, store, inboxes } = await setFirestoreStage(10)
    const dead = { owner: 'dead', host: 'there', pid: 1 }
    await store.lock.acquire(dead, 3_600_000)
    await store.ledger.begin('dead', 'launch', { subject: 'x', digest: 'x' })
    await store.ledger.enlist('dead', 'launch', people(10))
    await store.ledger.countEligible('dead', 'launch')
    await store.ledger.claim('dead', 'launch', { limit: 2, which: 'untried' })
    const settled: number[] = []
    const on = { ...quiet, settled: (count: number) => settled.push(count) }
    const { balance } = await run({ insteadOf: 'dead', on })
    expect(settled).toEqual([2])
    expect(balance).toMatchObject({ holds: true, tally: { sent: 8, uncertain: 2 } })
    await run({ retry: 'uncertain' })
    expect(inboxes().toSorted()).toEqual(emails(10).toSorted())
  })

  it('takes few calls a message from afar, and reads and writes as often as docs/firebase.md says', {
    tags: 'long',
  }, async () => {
    const count = 300
    const far = await startDelayingProxy(emulator().origin, 80)
    onTestFinished(far.close)
    const counting = await startCountingProxy(far.origin)
    onTestFinished(counting.close)
    const projectId = `demo-${randomUUID()}`
    const near = await emptyFirestore(emulator().origin, { projectId })
    onTestFinished(() => near.close())
    await near.list.importAll(people(count))
    const store = openFirestore(counting.origin, projectId)
    onTestFinished(() => store.close())
    const { run } = await setStage(0)

    // A timer may go off a moment early.
    expect(await roundTripTo(store)).toBeGreaterThan(75)
    counting.take()

    // All that the command does, in its order.
    const part = { id: 'launch' }
    await countRun(store, part)
    const ahead = counting.take()
    const sending = { calls: 0 }
    const on = { ...quiet, begun: () => Object.assign(sending, counting.take()) }
    const { announcement, balance } = await run({ store, rate: { letters: 50, ms: 1000 }, on })
    expect(balance).toMatchObject({ holds: true, tally: { sent: count } })
    const whileSending = counting.take()
    await store.ledger.suppressedAs(part.id)
    await store.list.countIn({ since: announcement.cutOff, standing: 'all' })
    const after = counting.take()

    expect(whileSending.calls / count).toBeLessThan(3)
    const sum = (what: 'reads' | 'writes') =>
      [ahead, sending as Counted, whileSending, after].reduce((all, one) => all + one[what], 0)
    const row = /^\| an announcement to a million, .* \| (\d+) M \| (\d+) M \|/m.exec(
      readFileSync('docs/firebase.md', 'utf8'),
    )
    expect(sum('writes') / count).toBeCloseTo(Number(row?.[1]), 0)
    expect(sum('reads') / count).toBeCloseTo(Number(row?.[2]), 0)
  })
})
