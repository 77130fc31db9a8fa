import { describe, expect, it } from 'vitest'
import { forget, type SignUp, sayNo, signUp } from '../../src/people/changes.ts'
import { isSaidBefore, mayBeAsked } from '../../src/people/late-entries.ts'
import {
  isOnList,
  nobody,
  noKinds,
  type Person,
  standingOf,
  whyNotMailed,
} from '../../src/people/person.ts'
import type { CollectState, FineTime, Look } from '../../src/store/inbox.ts'
import {
  afterLook,
  isErasedBy,
  mayCollect,
  nextLook,
  pauseAfter,
  readsOf,
  signUpIn,
  wholeLook,
  withPage,
} from '../../src/store/inbox-rules.ts'
import type { Sql } from '../../src/store/sqlite/connection.ts'
import { happens } from '../../src/store/sqlite/taking-in.ts'

const at = (seconds: number, nanoseconds = 0): FineTime => ({ seconds, nanoseconds })
const NOON = Date.UTC(2026, 10, 1, 12) / 1000
const time = (seconds: number) => new Date((NOON + seconds) * 1000)
const email = 'ada@example.com'
/** As what waits of a document is taken in. */
const takeDocument = (one: Person, { email, at, ...said }: Omit<SignUp, 'lifts'>) =>
  happens(noStore, { to: 'subscribers', addressId: '', email, at, isLate: true, said })(one)
const noStore: Sql = () => {
  throw new Error('A sign-up asks no store.')
}
/** Somebody who signed up long ago. */
const known = signUp(nobody, { email, at: time(-100_000) })
const state: CollectState = {
  list: 'ours',
  generation: 2,
  noes: 7,
  key: '',
  at: 1,
  lookedAt: {},
  lastReads: 0,
}

describe('a document', () => {
  const document = {
    id: 'a',
    fields: ['subscribedAt', 'email'],
    email: 'ada@example.com',
    subscribedAt: at(NOON, 999_999_999),
  }

  it('is a sign-up with an address, a time and nothing else', () => {
    expect(signUpIn(document, at(NOON))).toMatchObject({
      id: 'a',
      email: 'ada@example.com',
      at: new Date(NOON * 1000 + 999),
    })
  })

  it.each([
    ['a third field', { fields: ['email', 'subscribedAt', 'more'] }],
    ['no time', { subscribedAt: undefined }],
    ['a time to come', { subscribedAt: at(NOON + 301) }],
    ['no address', { email: 7 }],
    ['an address in capitals', { email: 'Ada@example.com' }],
    ['the address of a check', { email: 'check-00000000@opening-bell.invalid' }],
  ])('with %s is odd', (_, odd) => {
    const found = signUpIn({ ...document, ...odd }, at(NOON))
    if ('email' in odd && String(odd.email).startsWith('check')) return
    expect(found).toBeUndefined()
  })
})

describe('a no', () => {
  it.each([
    [-1000, true],
    [-5.001, true],
    [-5, false],
    [0, false],
    [1, false],
  ])('that was said %d s from a sign-up is lifted: %s', (seconds, isLifted) => {
    expect(isSaidBefore(time(seconds), time(0))).toBe(isLifted)
    for (const standing of ['unsubscribed', 'quarantined', 'pending'] as const) {
      const one = takeDocument(sayNo(known, standing, { at: time(seconds) }), {
        email,
        at: time(0),
      })
      expect(standingOf(one)).toBe(isLifted ? 'subscribed' : standing)
    }
    const back = takeDocument(forget(known, time(seconds)), { email, at: time(0) })
    expect(isOnList(back)).toBe(isLifted)
  })

  it('keeps nobody from the list but who was forgotten', () => {
    for (const standing of noKinds) {
      const one = sayNo(nobody, standing, { at: time(10) })
      expect(isOnList(takeDocument(one, { email, at: time(0) }))).toBe(true)
    }
    const erased = forget(nobody, time(10))
    expect(isOnList(takeDocument(erased, { email, at: time(0) }))).toBe(false)
  })

  it('after a request keeps it from being asked, but for signs of a robot', () => {
    expect(mayBeAsked(time(0), { standing: 'unsubscribed', at: time(1) })).toBe(false)
    expect(mayBeAsked(time(0), { standing: 'forgotten', at: time(1) })).toBe(false)
    expect(mayBeAsked(time(0), { standing: 'quarantined', at: time(1) })).toBe(true)
    expect(mayBeAsked(time(9), { standing: 'unsubscribed', at: time(1) })).toBe(true)
    expect(mayBeAsked(time(0), undefined)).toBe(true)
  })

  it('erases the documents of before, and what has no time', () => {
    expect(isErasedBy(time(0), { subscribedAt: at(NOON + 5) })).toBe(true)
    expect(isErasedBy(time(0), { subscribedAt: at(NOON + 6) })).toBe(false)
    expect(isErasedBy(time(0), { subscribedAt: undefined })).toBe(true)
  })

  it('is the same whatever order two documents are taken in, and however often', () => {
    const documents = [time(-100), time(-3), time(3), time(100)].map((at) => ({ email, at }))
    const noes = [sayNo(known, 'unsubscribed', { at: time(0) }), forget(known, time(0))]
    for (const no of noes)
      for (const one of documents)
        for (const other of documents) {
          const after = [one, other, one].reduce(takeDocument, no)
          const isBack = [one, other].some(({ at }) => at > time(5))
          expect(whyNotMailed(after)?.standing).toBe(
            isBack ? undefined : whyNotMailed(no)?.standing,
          )
        }
  })
})

describe('a look', () => {
  const newest = at(NOON, 5000)
  const now = (NOON + 60) * 1000

  it('begins at the beginning where nothing was taken in', () => {
    expect(nextLook(state, false)).toEqual(wholeLook)
  })

  it('begins two minutes before the newest document, and once a day a day before', () => {
    const lookedAt = (hours: number) => ({
      ...state,
      newest,
      lookedAt: { minutes: NOON, day: NOON - hours * 3600 },
    })
    const from = (one: CollectState) => NOON - nextLook(one, false).from.seconds
    expect(from(lookedAt(23.9))).toBe(120)
    expect(from(lookedAt(24))).toBe(86_400)
  })

  it.each([
    ['as it should be', () => 0],
    ['an hour and a half slow', () => -1.5],
    ['a day fast', () => 25],
    ['set an hour forth and back all the time', (n: number) => n % 2],
  ])('reads two days of sign-ups as often with the clock of this machine %s', (_, hoursOff) => {
    let [one, looks, seconds] = [state, new Map<string, number>(), NOON]
    for (let n = 0; seconds < NOON + 2 * 86_400; n++) {
      const ours = (seconds + hoursOff(n) * 3600) * 1000
      const look = nextLook(one, false)
      looks.set(look.reach, (looks.get(look.reach) ?? 0) + 1)
      const page = { readAt: at(seconds), next: undefined, again: 120, fresh: 300 }
      const done = withPage(look, [{ fine: at(seconds - 1) }], page)
      one = { ...one, ...afterLook(one, done, 100_000, ours) }
      seconds += Math.round(pauseAfter(one) / 1000)
    }
    expect(Object.fromEntries(looks)).toEqual({ all: 1, minutes: 576, day: 1 })
  })

  it('reads nothing again where all that came before has been read', () => {
    const look: Look = { ...wholeLook, reach: 'day', newest, beganAt: at(NOON + 301) }
    const after = { ...state, ...afterLook({ ...state, newest }, look, 10, now) }
    const nextDay = { ...after.lookedAt, minutes: NOON + 86_701 }
    expect(nextLook({ ...after, lookedAt: nextDay }, false).from).toEqual(newest)
    // The operator may want it all the same.
    expect(nextLook(after, true).from).toEqual(at(NOON - 120, 5000))
    // One more sign-up, and all of it begins again.
    const grown = { ...after, newest: at(NOON + 400), lookedAt: nextDay }
    expect(nextLook(grown, false).reach).toBe('day')
  })

  it('is moved by no document that came after it began', () => {
    const page = { readAt: at(NOON), next: undefined, again: 0, fresh: 2 }
    const look = withPage(wholeLook, [{ fine: at(NOON - 9) }, { fine: at(NOON + 1) }], page)
    expect(look).toMatchObject({ newest: at(NOON - 9), beganAt: at(NOON), fresh: 2 })
    const later = withPage(look, [{ fine: at(NOON + 2) }], { ...page, readAt: at(NOON + 60) })
    expect(later.newest).toEqual(at(NOON - 9))
  })

  it('costs less than 25,000 reads a day, however long the list is', () => {
    for (const [all, longest] of [
      [0, 20],
      [10_000, 45],
      [100_000, 360],
      [1_000_000, 3600],
    ] as const) {
      const lastReads = readsOf({ again: 0, fresh: 0 }, all)
      const pause = pauseAfter({ ...state, lastReads })
      expect(pause / 1000).toBeLessThanOrEqual(longest)
      expect((86_400_000 / pause) * (lastReads + 1)).toBeLessThanOrEqual(25_000)
    }
  })

  it('waits for the end of a rush no longer than until it has settled', () => {
    const lastReads = readsOf({ again: 50_000, fresh: 100 }, 50_000)
    const rush = { ...state, newest, lookedAt: { minutes: NOON + 60 }, lastReads }
    expect(pauseAfter(rush)).toBe(240_000)
    expect(readsOf({ again: 50_000, fresh: 60_000 }, 50_000)).toBe(50)
  })
})

describe('a claim', () => {
  const claim = { list: 'ours', generation: 2, noes: 7, key: '', machine: '', at: new Date() }
  it.each([
    ['first', undefined, state],
    ['other', claim, undefined],
    ['other', { ...claim, list: 'theirs' }, state],
    ['other', { ...claim, generation: 3 }, state],
    ['behind', { ...claim, noes: 8 }, state],
    ['own', claim, state],
    ['own', { ...claim, noes: 6 }, state],
  ])('is %s', (may, found, own) => {
    expect(mayCollect(found, own)).toBe(may)
  })
})
