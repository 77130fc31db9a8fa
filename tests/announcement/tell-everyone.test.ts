/** @module-tag thorough */

import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { countNewcomers } from '../../src/announcement/newcomers.ts'
import { countRun } from '../../src/announcement/outlook.ts'
import { Refused } from '../../src/shared/refused.ts'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'
import { ids } from '../fixtures/keys.ts'
import { mergeCopy } from '../fixtures/merged-copy.ts'
import type { Behaviour } from '../fixtures/relay.ts'
import { quick, quiet, setStage } from '../fixtures/stage.ts'
import { tallyOf } from '../fixtures/tally.ts'
import { people, person } from '../store/contracts/people.ts'

const letter = { subject: 'We are live', digest: 'one' }
const emails = (count: number) => people(count).map(({ email }) => email)

describe('an announcement', () => {
  it('reaches everybody once, and nobody again when it is run again, and balances', async () => {
    const { run, inboxes } = await setStage(30)
    const { why, balance } = await run()
    expect(why).toBe('done')
    expect(inboxes().toSorted()).toEqual(emails(30).toSorted())
    expect(balance).toMatchObject({ holds: true, eligible: 30, rows: 30, tally: { sent: 30 } })
    expect(await run()).toMatchObject({
      why: 'done',
      balance: { holds: true, tally: { sent: 30 } },
    })
    expect(inboxes()).toHaveLength(30)
  })

  it('keeps what is refused for good as failed, with the answer, and retries it only on demand', async () => {
    const refused = person(3).email
    let heals = false
    const { run, store, inboxes } = await setStage(6, (to) =>
      to === refused && !heals ? 'refuse' : 'accept',
    )
    const { balance } = await run()
    expect(balance).toMatchObject({ holds: true, tally: { sent: 5, failed: 1 } })
    expect(await store.ledger.deliveriesTo(refused)).toMatchObject([
      { status: 'failed', answer: '550 5.1.1 <address> user unknown' },
    ])
    heals = true
    await run()
    expect(inboxes()).not.toContain(refused)
    const again = await run({ retry: 'failed' })
    expect(again.balance).toMatchObject({ holds: true, tally: { sent: 6, failed: 0 } })
    expect(inboxes().filter((to) => to === refused)).toHaveLength(1)
  })

  it('retries only the failed when that is asked, and leaves the rest in the queue', async () => {
    const { run, inboxes } = await setStage(6, (to) =>
      to === person(1).email ? 'refuse' : 'accept',
    )
    await run({ first: () => 2 })
    const { balance } = await run({ retry: 'failed' })
    expect(inboxes()).toEqual([person(2).email])
    expect(balance).toMatchObject({ holds: true, tally: { failed: 1, sent: 1, queued: 4 } })
  })

  it('never repeats what may have left, unless it is told to', async () => {
    const unsure = person(2).email
    let does: Behaviour = 'drop-after-dot'
    const { run, relay } = await setStage(4, (to) => (to === unsure ? does : 'accept'))
    const { balance } = await run()
    expect(balance).toMatchObject({ holds: true, tally: { sent: 3, uncertain: 1 } })
    does = 'accept'
    await run()
    expect(relay.read.filter((to) => to === unsure)).toHaveLength(1)
    const again = await run({ retry: 'uncertain' })
    expect(again.balance).toMatchObject({ holds: true, tally: { sent: 4 } })
    expect(relay.read.filter((to) => to === unsure)).toHaveLength(2)
  })

  it('makes few uncertain at a relay that dies after every message', async () => {
    // Four that are only found out after a while, and then one quick failure after the other.
    const { run } = await setStage(50, (to) => {
      if (!to.startsWith('person')) return 'accept'
      return /person[1-4]@/.test(to) ? 'stall-after-dot' : 'drop-after-dot'
    })
    const { why, balance } = await run()
    expect(why).toBe('unreachable')
    expect(balance).toMatchObject({ holds: true, tally: { uncertain: 5, untried: 45 } })
  })

  it('need not be waited for once the server takes the sender again', async () => {
    let does: Behaviour = 'refuse-sender'
    const { run, inboxes } = await setStage(3, () => does)
    const retryPolicy = { ...quick, backOff: 3_600_000, maxBackOff: 3_600_000 }
    await run({ retryPolicy })
    does = 'accept'
    expect((await run({ retryPolicy })).why).toBe('done')
    expect(inboxes().toSorted()).toEqual(emails(3))
  })

  it('does not reach whoever is forgotten while it runs, and still balances', async () => {
    const { run, store, inboxes, oneByOne } = await setStage(40)
    const mailer = oneByOne(async (to) => {
      if (to !== person(5).email) return
      for (const n of [1, 5, 6]) await store.standings.forget(person(n).email)
    })
    const { balance } = await run({ mailer })
    expect(inboxes()).not.toContain(person(6).email)
    expect(balance).toMatchObject({
      holds: true,
      eligible: 40,
      tally: { sent: 37, forgotten: 3 },
    })
    expect((await run()).balance.holds).toBe(true)
    expect(inboxes()).toHaveLength(39)
  })

  it('says how far it is: who has a row, how many it may send, how each one ended', async () => {
    const { run } = await setStage(600, (to) => (to === person(2).email ? 'refuse' : 'accept'))
    const said: { enlisting: number[]; toSend: number[]; results: string[] } = {
      enlisting: [],
      toSend: [],
      results: [],
    }
    const on = {
      ...quiet,
      enlisting: (rows: number) => said.enlisting.push(rows),
      begun: (_: unknown, toSend: number) => said.toSend.push(toSend),
      result: (status: string) => said.results.push(status),
    }
    await run({ first: () => 3, on })
    expect(said).toMatchObject({ enlisting: [500, 600], toSend: [3] })
    expect(said.results.toSorted()).toEqual(['failed', 'sent', 'sent'])
    await run({ first: () => 3, on })
    await run({ retry: 'failed', on })
    expect(said).toMatchObject({ enlisting: [500, 600], toSend: [3, 0, 1] })
  })

  it('mails nobody when its rows and the subscribers do not agree', async () => {
    const { run, store, file, inboxes } = await setStage(5)
    await run({ first: () => 0 })
    const db = new DatabaseSync(file)
    db.exec('DELETE FROM persons WHERE number = 3')
    db.close()
    const failure = await run({ includeNew: true }).catch((error) => error)
    expect(failure).toBeInstanceOf(Refused)
    expect(failure.why).toEqual({ code: 'imbalance', eligible: 4, rows: 5 })
    expect(inboxes()).toEqual([])
    expect(await tallyOf(store, 'launch')).toMatchObject({ queued: 5 })
  })

  it('does not hide that what was sent could not be noted, though it had ended before', async () => {
    const { run, store } = await setStage(10)
    const stop = new AbortController()
    const failing = new Error('it could not be noted')
    let noted = 0
    // Until it is stopped, what ended is noted with the next claim.
    const record: typeof store.ledger.record = async () => {
      noted += 1
      throw failing
    }
    const result = () => stop.abort()
    const ended = run({
      store: { ...store, ledger: { ...store.ledger, record } },
      signal: stop.signal,
      on: { ...quiet, result },
    })
    await expect(ended).rejects.toThrow(failing)
    expect(noted).toBe(1)
  })

  it('notes by itself what was sent when nothing more can be claimed', async () => {
    const { run, store, inboxes } = await setStage(10)
    const claim: typeof store.ledger.claim = async (...which) => {
      if (inboxes().length > 0) throw new Error('nothing can be claimed')
      return store.ledger.claim(...which)
    }
    await expect(run({ store: { ...store, ledger: { ...store.ledger, claim } } })).rejects.toThrow(
      'nothing can be claimed',
    )
    const sent = inboxes().length
    expect(sent).toBeGreaterThan(0)
    expect(await tallyOf(store, 'launch')).toMatchObject({
      sent,
      sending: 0,
      queued: 10 - sent,
    })
  })

  it('waits before it tries a letter again for which something could not be noted', async () => {
    const { run, message, inboxes } = await setStage(3)
    const stop = new AbortController()
    let isAway = true
    const { why, balance } = await run({
      signal: stop.signal,
      retryPolicy: { ...quick, backOff: 3_600_000 },
      message(recipient) {
        if (recipient.email !== person(2).email || !isAway) return message(recipient)
        isAway = false
        throw new StoreUnavailable('it is away')
      },
      on: { ...quiet, waiting: () => stop.abort() },
    })
    expect(why).toBe('interrupted')
    expect(inboxes().toSorted()).toEqual([person(1).email, person(3).email])
    expect(balance).toMatchObject({ holds: true, tally: { sent: 2, queued: 1 } })
  })

  it('waits for a database that is locked for a while, and forgets nothing that it sent', async () => {
    const { run, file, inboxes, oneByOne } = await setStage(10)
    const mailer = oneByOne(async (to) => {
      if (to !== person(4).email) return
      const db = new DatabaseSync(file)
      db.exec('BEGIN IMMEDIATE')
      // Longer than the store itself waits.
      setTimeout(() => db.close(), 2_500)
    })
    const { balance } = await run({ mailer })
    expect(inboxes().toSorted()).toEqual(emails(10).toSorted())
    expect(balance).toMatchObject({ holds: true, tally: { sent: 10 } })
  })
})

describe('an announcement of a copy, in a list with other people', () => {
  it('is to those who had it there, and whoever has no place in it is new, whatever their number', async () => {
    const { store, run, inboxes } = await setStage(3)
    const theirs = [4, 5, 6].map(person)
    await store.list.importAll(theirs)
    const row = {
      status: 'uncertain',
      tries: 1,
      changedAt: new Date(5),
      answer: undefined,
    } as const
    const deliveries = theirs.map(({ email }) => ({ ...row, addressId: ids.of(email) }))
    await mergeCopy(store, {
      announcement: { id: 'launch', ...letter, begunAt: new Date(4) },
      deliveries,
    })
    expect(await store.ledger.findAnnouncement('launch')).toMatchObject({ eligible: 3, upTo: 0 })
    expect((await run()).balance).toMatchObject({ holds: true, tally: { uncertain: 3, sent: 0 } })

    const again = { id: 'launch', retry: 'uncertain' } as const
    expect(await countRun(store, again)).toMatchObject({ toSend: 3, eligible: 3 })
    const retried = await run(again)
    expect(retried.balance).toMatchObject({ holds: true, eligible: 3, tally: { sent: 3 } })
    expect(inboxes().toSorted()).toEqual(theirs.map(({ email }) => email))
    expect(await countNewcomers(store, retried.announcement, {})).toBe(3)
    const { balance } = await run({ includeNew: true })
    expect(balance).toMatchObject({ holds: true, eligible: 6, tally: { sent: 6 } })
    expect(inboxes().toSorted()).toEqual(emails(6))
  })
})
