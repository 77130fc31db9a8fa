import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { afterYeses, forget, merge, pressed, sayNo, signUp } from '../../src/people/changes.ts'
import { toErase } from '../../src/people/erase-quarantined.ts'
import { marksOf } from '../../src/people/index-tags.ts'
import { isOpen, letterRule } from '../../src/people/letter-rule.ts'
import { mailboxLimit } from '../../src/people/mailbox-limit.ts'
import type { Pending } from '../../src/people/pending.ts'
import {
  extraOf,
  isBlank,
  nobody,
  type Person,
  pendingOf,
  sourceOf,
  whyNotMailed,
} from '../../src/people/person.ts'
import { type Asked, MOST_ASKING } from '../../src/people/request.ts'
import {
  ask,
  decided,
  decideFor,
  type Known,
  released,
  settled,
  swept,
  withoutLetter,
} from '../../src/people/requests.ts'
import { personIn, personText, unreadable } from '../../src/people/stored.ts'
import { ids } from '../fixtures/keys.ts'

const email = 'ada@letters.dev'
const at = (second: number) => new Date(Date.UTC(2026, 2, 1) + second * 1000)
const MINUTE = 60
const DAY = 86_400
const shown = { words: 'Tell me', page: 'build', language: 'en' }
const [ann, bob] = ['A', 'B'].map((letter) => letter.repeat(22)) as [string, string]
const network = (n: number) => String(n).repeat(22).slice(0, 22)

const asking = (one: Person, second: number, more: Partial<Asked> = {}) =>
  ask(one, email, { shown, isCrowd: false, ...more }, at(second))
const robot = { suspicion: 'hidden-field' }
const found: Known = { pending: undefined, mailbox: [], isOnList: false, standing: undefined }
const none = { network: undefined, domain: undefined, recent: undefined, hidden: 0, released: {} }
const rule = letterRule(() => ({ messageId: '<1@example.com>', letterDigest: 'a' }))

/** Decides on the letter of somebody, as it is due. @param held networks whose letters wait. */
function decide(one: Person, second: number, held: readonly string[] = []): Person {
  if (!one.request) throw new Error('There is no request.')
  const pending = pendingOf(one)
  const { decision } = decideFor(
    rule,
    one.request,
    { email, addressId: ids.of(email) },
    { ...found, pending, mailbox: pending?.lastLetterAt ? [pending] : [] },
    (from) => ({
      ...none,
      network: from ? { answered: 0, unanswered: held.includes(from) ? 10 : 0 } : undefined,
    }),
    at(second),
  )
  return decided(one, decision, at(second), 15 * MINUTE * 1000)
}

describe('somebody whose address is left more than once before the letter', () => {
  it('is asked once, as of the first time, in the earlier place in line', () => {
    const one = asking(asking(nobody, 1, { isCrowd: true }), 2)
    expect(one.request).toMatchObject({ askedAt: at(1), dueAt: at(1), line: 0, tries: 0 })
    const lines = [{}, { isCrowd: true }, robot].map(
      (more) => asking(nobody, 1, more).request?.line,
    )
    expect(lines).toEqual([0, 1, 2])
  })

  it('has what they said when they asked, once they confirm, and nothing that a robot said', () => {
    const [fields, source] = [{ language: 'de' }, { source: 'hn' }]
    const [said, other] = [{ fields, source }, { fields: { language: 'fr' } }]
    for (const all of [
      [said, other, {}],
      [{ ...robot, ...other }, said],
    ]) {
      const asked = all.reduce<Person>(
        (one, more, i) => decide(asking(one, i * DAY, more), i * DAY),
        nobody,
      )
      const stored = personIn(personText(asked))
      const pending = stored === unreadable ? null : (pendingOf(stored) ?? null)
      expect(pending?.fields).toEqual(fields)
      const consent = { ...shown, askedAt: '', messageId: '', letterDigest: '' }
      const yes = { pending, consent: { ...consent, confirmedAt: '', how: 'button' as const } }
      const confirmed = pressed(asked, yes, at(2 * DAY))
      expect(extraOf(confirmed)).toMatchObject(fields)
      expect(sourceOf(confirmed)).toEqual(source)
    }
    expect(decide(asking(nobody, 1, { ...robot, ...said }), 2).pending?.fields).toBeUndefined()
  })

  const anyAsked = fc.record({
    suspicion: fc.constantFrom(undefined, 'hidden-field'),
    referredBy: fc.constantFrom(undefined, ann, bob),
    isCrowd: fc.boolean(),
    network: fc.constantFrom(undefined, network(1), network(2), network(3)),
    second: fc.integer({ min: 1, max: 3 * DAY }),
  })
  const times = { selector: ({ second }: { second: number }) => second }

  it('is asked alike, in whatever order two of them come, and however often', () => {
    const apply = (one: Person, { second, ...said }: { second: number } & Partial<Asked>) =>
      asking(one, second, said)
    const sorted = ({ request, ...one }: Person) => ({
      ...one,
      request: request && { ...request, networks: request.networks?.toSorted() },
    })
    fc.assert(
      fc.property(
        fc.uniqueArray(anyAsked, { minLength: 2, maxLength: 2, ...times }),
        fc.array(fc.nat(1), { maxLength: 4 }),
        (both, again) => {
          const inOrder = both.reduce(apply, nobody)
          const late = [...both.toReversed(), ...again.flatMap((n) => both[n] ?? [])]
          expect(sorted(late.reduce(apply, nobody))).toEqual(sorted(inOrder))
        },
      ),
    )
  })

  it('gets the letter that a person of a good network asks for, whatever strangers left before and after', () => {
    fc.assert(
      fc.property(
        fc.array(anyAsked, { maxLength: 6 }),
        fc.array(anyAsked, { maxLength: MOST_ASKING - 1 }),
        (before, after) => {
          const strangers = (one: Person, all: typeof before, from: number) =>
            all.reduce((each, { second, ...said }, i) => asking(each, from + i, said), one)
          const bad = [1, 2, 3].map(network)
          const waits = before.length > 0 ? decide(strangers(nobody, before, 1), 50, bad) : nobody
          const asked = asking(waits, 100, { network: network(4) })
          const now = decide(strangers(asked, after, 101), 200, bad)
          expect(now.pending?.letters).toBe(1)
        },
      ),
    )
  })

  it('is not asked again while a letter is on its way, nor sooner than its mail server asked to wait', () => {
    const given = decide(asking(nobody, 1), 2)
    expect(given.request).toMatchObject({ tries: 1, dueAt: at(2 + 15 * MINUTE) })
    expect(asking(given, 3).request?.dueAt).toEqual(at(2 + 15 * MINUTE))
    const deferred = settled(given, { tries: 0, dueAt: at(500) })
    const again = [4, 5, 6, 7].reduce((one, second) => asking(one, second), deferred)
    expect(again.request).toMatchObject({ tries: 1, dueAt: at(500), line: 1 })
  })

  it('is asked anew a day later, or after unsubscribing, and not for what came before an erasure', () => {
    expect(asking(asking(nobody, 1), 1 + DAY).request?.askedAt).toEqual(at(1 + DAY))
    const left = sayNo(asking(nobody, 1), 'unsubscribed', { at: at(2) })
    expect(asking(left, 3).request?.askedAt).toEqual(at(3))
    expect(asking(asking(left, 3), 1)).toEqual(asking(left, 3))
    const robots = asking(asking(nobody, 1), 1 + DAY, robot)
    expect(robots.request).toMatchObject({ askedAt: at(1), line: 0 })
    expect(robots.request?.suspicion).toBeUndefined()
    expect(asking(forget(nobody, at(5)), 5).request).toBeUndefined()
    expect(asking(forget(nobody, at(5)), 6).request?.askedAt).toEqual(at(6))
  })

  it('gets no second letter for what was asked before the first one left', () => {
    const asked = decide(asking(nobody, 1), 100)
    const done = settled(asked, { tries: 0 })
    expect(done.request).toBeUndefined()
    const late = decide(asking(done, 50), 100 + DAY)
    expect(late).toMatchObject({ pending: { letters: 1 } })
    expect(late.request).toBeUndefined()
  })

  it('costs a bounded number of decisions', () => {
    const all = Array.from({ length: 40 }, (_, n) => n)
    const one = all.reduce((each, n) => asking(each, n + 1, { network: ids.of(`${n}`) }), nobody)
    expect(one.request?.networks).toEqual(all.slice(-MOST_ASKING).map((n) => ids.of(`${n}`)))
  })
})

describe('a request', () => {
  const waiting = () => asking(nobody, 1, { source: { source: 'news' }, referredBy: ann })

  it('is over once its letter is decided, and is due again where it waits', () => {
    expect(isBlank(decided(asking(nobody, 1), {}, at(2), 1000))).toBe(true)
    const waits = decided(waiting(), { dueAt: at(9), waitsFor: 'domain' }, at(2), 1000)
    expect(waits.request).toMatchObject({ dueAt: at(9), waitsFor: 'domain', line: 1 })
    expect(released(waits, 'network', at(3)).request?.dueAt).toEqual(at(9))
    expect(released(waits, 'domain', at(3)).request).toMatchObject({ dueAt: at(3) })
    expect(asking(waits, 5).request).not.toMatchObject({ waitsFor: 'domain' })
  })

  it('goes by the end of the last time that its letter was given', () => {
    const twice = decide(decide(waiting(), 2), 2 + 16 * MINUTE)
    expect(settled(twice, { tries: 0, dueAt: at(3000) }).request).toEqual(twice.request)
    expect(settled(twice, { tries: 1, dueAt: at(3000) }).request?.dueAt).toEqual(at(3000))
    expect(settled(twice, { tries: 0 }).request).toBeUndefined()
    const change = (pending: object) => ({ ...pending, failure: '451' }) as never
    expect(settled(nobody, { tries: 0, change })).toEqual(nobody)
  })

  it('without signs counts, also where it came while the letter was on its way that a robot asked for', () => {
    const asked = asking(decide(asking(nobody, 1, robot), 2), 3)
    const one = decide(settled(asked, { tries: 0 }), 4)
    expect(one.request).toBeUndefined()
    expect(one.pending).toMatchObject({ letters: 1, suspicion: undefined })
    expect(toErase(one)).toBeUndefined()
    const robots = asking(decide(asking(nobody, 1, robot), 2), 3, robot)
    expect(settled(robots, { tries: 0 }).request).toBeUndefined()
  })

  it('is read as it was written, and nobody is read of whom it cannot be', () => {
    for (const one of [waiting(), decide(waiting(), 2), decide(asking(nobody, 1, robot), 2)])
      expect(personIn(personText(one))).toEqual(one)
    const stored = JSON.parse(personText(waiting()))
    const { email: _, ...others } = stored
    for (const hostile of [
      others,
      ...['dueAt', 'line', 'tries', 'shown', 'askedAt'].map((name) => ({
        ...stored,
        request: { ...stored.request, [name]: 'soon' },
      })),
    ])
      expect(personIn(hostile)).toBe(unreadable)
  })

  it('stands where it is looked for while it is open, and nowhere without an answer due', () => {
    const tags = (one: Person) => marksOf(one, ids).places.map(({ tag }) => tag.split(':')[0])
    expect(tags(waiting())).toEqual(['letter', 'requested', 'names'])
    const done = settled(decide(asking(nobody, 1, { network: network(1) }), 2), { tries: 0 })
    expect(tags(done)).toEqual(['asked', 'mailbox', 'letters-open', 'network-open', 'domain-open'])
    expect(JSON.stringify(marksOf(done, ids))).not.toContain('letters.dev')
    expect(marksOf(swept(done, at(20 * DAY)).after, ids)).toEqual({ places: [], counters: [] })
  })

  it('is swept fourteen days after the letter, unless it holds an address on the list', () => {
    const done = settled(decide(waiting(), 2), { tries: 0 })
    expect(swept(done, at(14 * DAY)).end).toBeUndefined()
    expect(swept(done, at(14 * DAY + 2)).end).toBe('expired')
    const held = sayNo(done, 'pending', { at: at(3) })
    const robots = signUp(done, { ...robot, email, at: at(3) })
    const disowned = { ...robots, pending: { ...robots.pending, noAt: at(4) } } as Person
    for (const one of [held, disowned])
      expect(swept(one, at(15 * DAY))).toEqual({ after: one, end: 'held' })
    expect(swept(robots, at(15 * DAY)).end).toBe('expired')
  })

  it('is decided however many of its mailbox a file has', () => {
    const pending = pendingOf(decide(waiting(), 2))
    const mailbox = Array.from({ length: 200_000 }, () => pending as Pending)
    expect(mailboxLimit(mailbox, { email }, at(3))).toMatchObject({
      isFull: true,
      isReserved: false,
    })
  })

  it('from before somebody left or was erased is over, also where the clock was set back', () => {
    const asked = asking(nobody, 100)
    for (const one of [asked, settled(decide(asked, 100), { tries: 0 })]) {
      const no = afterYeses(one, at(50))
      const left = sayNo(one, 'unsubscribed', { at: no })
      const standing = whyNotMailed(left)
      const request = { email, addressId: ids.of(email), at: at(100), shown, tries: 0 }
      const known = { ...found, standing, pending: pendingOf(left) }
      expect(rule(request, known, at(60))).toEqual({})
      expect(isOpen(known, at(60))).toBe(false)
      const gone = forget(one, no)
      expect(merge(gone, one)).toEqual(gone)
    }
  })

  it('of a copy is put together with what is known, is not erased twice, and sends no letter unbelieved', () => {
    const done = settled(decide(waiting(), 2), { tries: 0 })
    for (const one of [waiting(), done]) {
      expect(merge(nobody, one)).toEqual(one)
      expect(merge(one, one)).toEqual(one)
      expect(isBlank({ ...merge(forget(one, at(9)), one), forgottenAt: undefined })).toBe(true)
    }
    const since = asking(forget(nobody, at(9)), 10)
    expect(merge(since, done)).toEqual(since)
    expect(withoutLetter(waiting())).toMatchObject({ pending: { letters: 0, askedAt: at(1) } })
    expect(withoutLetter(waiting()).request).toBeUndefined()
  })

  it('whose reader said that it was not them gets no more letters by being asked before the copy that says so comes back', () => {
    const letter = (second: number) => settled(decide(asking(nobody, second), second), { tries: 0 })
    const said = (one: Person, what: object) => ({ ...one, pending: { ...one.pending, ...what } })
    const disowned = said(letter(1), { noAt: at(9) }) as Person
    expect(merge(letter(20), disowned).pending).toMatchObject({ askedAt: at(20), noAt: at(9) })
    expect(merge(disowned, letter(20)).pending).toMatchObject({ noAt: at(9) })
    const again = asking(merge(letter(20), disowned), 20 + DAY / 2)
    expect(decide(again, 20 + DAY).pending).toMatchObject({ letters: 1 })
    // It was over by then, or they have answered since.
    for (const one of [letter(15 * DAY), said(letter(20), { confirmedAt: at(21), how: 'button' })])
      expect(merge(one as Person, disowned).pending).toEqual(one.pending)
  })
})
