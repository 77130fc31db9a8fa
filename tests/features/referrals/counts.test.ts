import { describe, expect, it } from 'vitest'
import { readReferrals } from '../../../src/features/referrals/count-friends.ts'
import { letDay, referralIn } from '../../../src/features/referrals/rules.ts'
import type { Pending } from '../../../src/people/pending.ts'
import { receiptOf } from '../../../src/people/press-button.ts'
import { emptySqlite } from '../../fixtures/empty-sqlite.ts'
import { ids } from '../../fixtures/keys.ts'
import { restoreKnown } from '../../fixtures/restored.ts'

const shown = { words: 'Be the first to know', page: 'a1b2c3', language: 'en' }

describe('who referred whom, in the store', () => {
  async function opened() {
    const store = await emptySqlite()
    /** @param isContested whether links of others were used for that address too. */
    const ask = async (email: string, by?: string, suspicion?: string, isContested?: true) => {
      const referredBy = by && ids.of(by)
      await store.requests.requestConfirmation(email, {
        shown,
        isCrowd: false,
        referredBy,
        suspicion,
      })
      await store.requests.claimLetters(9, 60_000, (request, _found, now) => {
        const { email, at, referredBy, suspicion } = request
        const asked = { email, askedAt: at, shown, letters: 1, lastLetterAt: now }
        return { isSent: true, pending: { ...asked, referredBy, suspicion, isContested } }
      })
    }
    const confirm = (email: string) =>
      store.requests.changePending(ids.of(email), ({ pending }, now) => {
        if (!pending) return { result: undefined }
        const done: Pending = { ...pending, confirmedAt: now, how: 'button' }
        return { result: undefined, pending: done, consent: receiptOf(done) }
      })
    const join = async (email: string, by?: string, suspicion?: string) => {
      await ask(email, by, suspicion)
      await confirm(email)
    }
    const referredBy = async (email: string) => {
      for await (const one of store.list.stream({ standing: 'all' }))
        if (one.email === email) return referralIn(one.extra)?.by
      return undefined
    }
    const counts = async () => (await readReferrals(store, ids.of)).counts
    return { store, ask, confirm, join, referredBy, counts }
  }

  it('keeps nothing for a code of nobody, of somebody who never confirmed, or for people who were there', async () => {
    const { store, join, referredBy, counts } = await opened()
    await store.list.add('asleep@example.com')
    await join('ada@example.com')
    await join('bob@example.com', 'nobody@example.com')
    await join('cleo@example.com', 'asleep@example.com')
    await store.standings.unsubscribe(ids.of('bob@example.com'))
    await join('bob@example.com', 'ada@example.com')
    for (const email of ['ada@example.com', 'bob@example.com', 'cleo@example.com'])
      expect(await referredBy(email)).toBeUndefined()
    expect(await counts()).toMatchObject({ confirmed: 0 })
  })

  it('keeps it where a confirmation is taken back, and counts it again after the next', async () => {
    const { store, join, confirm, counts } = await opened()
    await join('ada@example.com')
    await join('bob@example.com', 'ada@example.com')
    await store.requests.changePending(ids.of('bob@example.com'), ({ pending }) => ({
      result: undefined,
      ...(pending && { pending: { ...pending, confirmedAt: undefined } }),
      consent: null,
    }))
    expect(await counts()).toMatchObject({ confirmed: 0 })
    await confirm('bob@example.com')
    expect(await counts()).toMatchObject({ confirmed: 1, credited: 1 })
  })

  it('is erased with either side, from requests and from the list, and no old copy brings it back', async () => {
    const { store, ask, join, confirm, referredBy, counts } = await opened()
    await join('ada@example.com')
    await join('bob@example.com', 'ada@example.com')
    await join('dora@example.com', 'bob@example.com')
    await ask('cleo@example.com', 'ada@example.com')
    await store.requests.requestConfirmation('eve@example.com', {
      shown,
      isCrowd: false,
      referredBy: ids.of('ada@example.com'),
    })
    const copy: string[] = []
    for await (const one of store.list.stream({ standing: 'all' })) copy.push(JSON.stringify(one))

    await store.standings.forget('ada@example.com')
    expect(await referredBy('bob@example.com')).toBeUndefined()
    expect(await referredBy('dora@example.com')).toBe(ids.of('bob@example.com'))
    const left: (string | undefined)[] = []
    await store.requests.claimLetters(9, 60_000, ({ referredBy }) => {
      left.push(referredBy)
      return {}
    })
    for await (const pending of store.requests.pending()) left.push(pending.referredBy)
    expect(left.filter(Boolean)).toEqual([ids.of('bob@example.com')])

    // Who still has the link brings nobody.
    await confirm('cleo@example.com')
    await join('fay@example.com', 'ada@example.com')
    expect(await referredBy('cleo@example.com')).toBeUndefined()
    expect(await referredBy('fay@example.com')).toBeUndefined()

    const rows = copy.map((row) => JSON.parse(row))
    await store.list.importAll(
      rows.map((row) => ({ ...row, subscribedAt: new Date(row.subscribedAt) })),
    )
    await restoreKnown(
      store,
      rows.map(({ email, extra }) => ({ addressId: ids.of(email), extra })),
    )
    expect(await referredBy('bob@example.com')).toBeUndefined()
    await store.standings.forget('dora@example.com')
    expect(await counts()).toMatchObject({ confirmed: 0 })
  })

  it('counts no alias of a mailbox that is on the list, and no two who referred each other', async () => {
    const { store, join, counts } = await opened()
    await join('ada@gmail.com')
    await join('a.d.a+me@googlemail.com', 'ada@gmail.com')
    await join('bob+one@example.com', 'ada@gmail.com')
    await join('bob+two@example.com', 'ada@gmail.com')
    // Only a file can say that of two.
    const referral = (email: string) => ({
      addressId: ids.of(email),
      extra: {
        referral: {
          by: ids.of(email === 'cy@example.com' ? 'di@example.com' : 'cy@example.com'),
          at: new Date().toISOString(),
        },
      },
    })
    await join('cy@example.com')
    await join('di@example.com')
    await restoreKnown(store, [referral('cy@example.com'), referral('di@example.com')])
    expect(await counts()).toMatchObject({
      confirmed: 5,
      credited: 1,
      held: 0,
      refused: { mailbox: 2, ring: 2, nobody: 0 },
    })
  })

  it('holds a day of more than ten, and friends with signs of a robot, until that day is let', async () => {
    const { store, join, counts } = await opened()
    await join('ada@example.com')
    await join('bob@example.com')
    await join('robot@example.com', 'bob@example.com', 'too-quick')
    await join('friend@example.com', 'bob@example.com')
    for (let i = 0; i < 10; i++) await join(`friend${i}@example.com`, 'ada@example.com')
    // Aliases use up nothing of the ten.
    await join('friend1+again@example.com', 'ada@example.com')
    expect(await counts()).toMatchObject({ credited: 11, held: 1 })
    await join('friend10@example.com', 'ada@example.com')
    const day = new Date().toISOString().slice(0, 10)
    expect(await counts()).toMatchObject({
      credited: 1,
      held: 12,
      heldDays: [
        { email: 'ada@example.com', day, number: 11, why: 'many' },
        { email: 'bob@example.com', day, number: 1, why: 'signs' },
      ],
    })
    await restoreKnown(store, [{ addressId: ids.of('ada@example.com'), extra: letDay(day) }])
    expect(await counts()).toMatchObject({ credited: 12, held: 1 })
    await restoreKnown(store, [{ addressId: ids.of('bob@example.com'), extra: letDay(day) }])
    expect(await counts()).toMatchObject({ credited: 13, held: 0 })
  })
})
