import { describe, expect, it } from 'vitest'
import { confirmationKeys } from '../../src/keys/confirmation-keys.ts'
import { afterSending } from '../../src/people/after-sending.ts'
import { endOf, endsAt } from '../../src/people/confirmation-lifetime.ts'
import { letterRule } from '../../src/people/letter-rule.ts'
import type { Pending } from '../../src/people/pending.ts'
import { type Press, press, stepOf } from '../../src/people/press-button.ts'
import type { ConfirmationRequest, Known } from '../../src/people/requests.ts'
import type { Standing } from '../../src/people/standing.ts'
import { ids, linkKey } from '../fixtures/keys.ts'

const start = new Date('2026-03-01T12:00:00.000Z')
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const plus = (ms: number) => new Date(start.getTime() + ms)
const email = 'ada@example.com'
const addressId = ids.of(email)
const shown = { words: 'Notify Me', page: 'a1', language: 'en' }
const keys = confirmationKeys(linkKey)

const request = (more: Partial<ConfirmationRequest> = {}): ConfirmationRequest => ({
  email,
  addressId,
  at: start,
  shown,
  tries: 0,
  ...more,
})
const pending = (more: Partial<Pending> = {}): Pending => ({
  email,
  askedAt: start,
  shown,
  letters: 1,
  lastLetterAt: start,
  messageId: '<m@x>',
  letterDigest: 'd',
  ...more,
})
const found = (more: Partial<Known> = {}): Known => ({
  pending: undefined,
  mailbox: more.pending ? [more.pending] : [],
  isOnList: false,
  standing: undefined,
  consent: undefined,
  ...more,
})
const stands = (standing: Standing, at = start) => ({ standing, at })
const rule = letterRule(() => ({ messageId: '<m@x>', letterDigest: 'd' }))

describe('whose friend somebody is who left their address more than once', () => {
  const [ada, eve] = ['ada@example.org', 'eve@example.org'].map((one) => ids.of(one))
  const [none, robot] = [undefined, 'too-quick']
  type SignUp = readonly [by: string | undefined, signs?: string | undefined, minute?: number]
  it.each<[string, SignUp[], string | undefined, true | undefined]>([
    ['whose link came later, where there was none', [[none], [ada]], ada, none],
    ['whose link came first, where none came later', [[ada], [none], [ada]], ada, none],
    ['nobody’s for certain, where two links differ', [[eve], [ada]], eve, true],
    ['nobody’s for certain, whatever comes after', [[eve], [ada], [eve], [none]], eve, true],
    [
      'nobody’s for certain, where a robot comes later by a link',
      [[none], [ada, robot]],
      ada,
      true,
    ],
    ['whose link came without signs, where a robot was first', [[eve, robot], [ada]], ada, none],
    [
      'nobody’s, where only a robot came by a link, and was first',
      [[eve, robot], [none]],
      none,
      none,
    ],
    [
      'whose link came last of robots without one',
      [
        [none, robot],
        [ada, robot],
      ],
      ada,
      none,
    ],
    [
      'whose link came after a robot’s, where the robot’s had to wait',
      [
        [ada, none, 2],
        [eve, robot, 1],
      ],
      ada,
      none,
    ],
    ['whose link came after a dispute of robots', [[eve, robot], [ada, robot], [ada]], ada, none],
  ])('is %s', (_, signUps, by, isContested) => {
    let known: Pending | undefined
    for (const [i, [referredBy, suspicion, minute = i]] of signUps.entries()) {
      const one = request({ at: plus(minute * MINUTE), referredBy, suspicion })
      known = rule(one, found({ pending: known }), plus(3 * MINUTE)).pending ?? known
    }
    expect([known?.referredBy, known?.isContested]).toEqual([by, isContested])
  })
})

describe('a letter leaves', () => {
  it('for somebody new, and is noted before', () => {
    expect(rule(request(), found(), plus(1000))).toEqual({
      isSent: true,
      pending: pending({ lastLetterAt: plus(1000), failure: undefined }),
    })
  })

  it('with where they came from, unless they came with signs of a robot', () => {
    const source = { source: 'hn' }
    expect(rule(request({ source }), found(), start).pending).toMatchObject({ source })
    const { pending } = rule(request({ source, suspicion: 'too-quick' }), found(), start)
    expect(pending).toMatchObject({ suspicion: 'too-quick' })
    expect(pending).not.toHaveProperty('source')
  })

  it.for(['unsubscribed', 'forgotten', 'pending', 'quarantined', 'bounced'] as const)(
    'for who is %s',
    (standing) => {
      const decided = rule(request(), found({ standing: stands(standing, plus(-DAY)) }), start)
      expect(decided.isSent).toBe(true)
    },
  )

  it('for nobody who complained', () => {
    expect(rule(request(), found({ standing: stands('complained') }), start)).toEqual({})
  })

  it('for nobody who is on the list', () => {
    expect(rule(request(), found({ isOnList: true }), start)).toEqual({})
  })

  it('once in fifteen minutes for whoever asks again', () => {
    const known = found({ pending: pending() })
    expect(rule(request(), known, plus(15 * MINUTE - 1))).toEqual({})
    expect(rule(request(), known, plus(15 * MINUTE))).toMatchObject({
      isSent: true,
      pending: { letters: 2, askedAt: start },
    })
  })

  it('no fourth time for whoever leaves after each second one: letters count until their time is over', () => {
    let known = found()
    let sent = 0
    for (let n = 0; n < 12; n++) {
      const at = plus(n * DAY)
      const { isSent, pending } = rule(request({ at }), known, at)
      if (isSent) sent += 1
      const theirs = pending ?? known.pending
      known = found({
        ...(theirs && { pending: theirs }),
        standing: n % 2 ? stands('unsubscribed', plus(n * DAY + MINUTE)) : known.standing,
      })
    }
    expect(sent).toBe(3)
    expect(rule(request({ at: plus(16 * DAY) }), known, plus(16 * DAY)).isSent).toBe(true)
  })

  it('nor within fifteen minutes for whoever left since: it waits for its turn, with a code of its own', () => {
    const left = stands('unsubscribed', plus(MINUTE))
    const known = found({ pending: pending(), standing: left })
    const again = request({ at: plus(2 * MINUTE) })
    expect(rule(again, known, plus(2 * MINUTE))).toEqual({ dueAt: plus(15 * MINUTE) })
    expect(rule(again, known, plus(15 * MINUTE))).toMatchObject({
      isSent: true,
      pending: { letters: 2, askedAt: plus(2 * MINUTE) },
    })
  })

  it('for whoever confirmed and left, as for somebody new', () => {
    const done = pending({ letters: 3, confirmedAt: plus(MINUTE) })
    const known = found({ pending: done, standing: stands('unsubscribed', plus(2 * MINUTE)) })
    const later = rule(request({ at: plus(DAY) }), known, plus(DAY))
    expect(later).toMatchObject({ isSent: true, pending: { letters: 1 } })
  })

  it('for all addresses with a tag together, who has none later', () => {
    const other = pending({ email: 'ada+1@example.com', letters: 1 })
    const next = request({ email: 'ada+2@example.com' })
    const one = found({ mailbox: [other] })
    expect(rule(next, one, plus(MINUTE))).toEqual({ dueAt: plus(15 * MINUTE) })
    expect(rule(next, one, plus(15 * MINUTE)).isSent).toBe(true)
    const three = found({ mailbox: [{ ...other, letters: 3 }] })
    expect(rule(next, three, plus(DAY))).toEqual({
      pending: { email: next.email, askedAt: start, shown, letters: 0 },
    })
  })

  it.for([0, 1, 7, 13])(
    'to the owner of a mailbox on day %i, whatever tags somebody made up for it meanwhile',
    (day) => {
      const tags = [1, 2, 3].map((n) =>
        pending({ email: `ada+${n}@example.com`, lastLetterAt: plus(day * DAY) }),
      )
      const now = plus(day * DAY + MINUTE)
      const known = found({ mailbox: tags })
      expect(rule(request({ at: now }), known, now).isSent).toBe(true)
      const own = found({ mailbox: [pending({ letters: 3 })] })
      expect(rule(request({ email: 'ada+1@example.com' }), own, now).isSent).toBe(true)
    },
  )

  it('no sooner for a letter that was refused, and again afterwards: it was none to the mailbox', () => {
    let known = found()
    for (let n = 0; n < 6; n++) {
      const at = plus(n * 15 * MINUTE)
      const { isSent, pending: sent } = rule(request({ at }), known, at)
      expect(isSent).toBe(true)
      const change = afterSending({ kind: 'refused', answer: '550' }, known.pending)
      const refused = sent && change?.(sent)
      expect(refused).toMatchObject({ letters: 0, refusedAt: expect.any(Date), failure: '550' })
      known = found(refused && { pending: refused })
      const soon = plus(n * 15 * MINUTE + MINUTE)
      expect(rule(request({ at: soon }), known, soon)).toEqual({})
    }
  })

  it('to no further tag of a mailbox that refused ten, so that made-up ones do not go on for days', () => {
    const refused = (count: number) =>
      Array.from({ length: count }, (_, n) =>
        pending({ email: `ada+${n}@example.com`, letters: 0, refusedAt: start }),
      )
    const next = (count: number, email = 'ada+own@example.com') =>
      rule(request({ email, at: plus(DAY) }), found({ mailbox: refused(count) }), plus(DAY)).isSent
    expect(next(9)).toBe(true)
    expect(next(10)).toBeUndefined()
    expect(next(10, email)).toBe(true)
  })

  it('no more for whoever said that it was not them', () => {
    const said = pending({ noAt: start })
    expect(rule(request(), found({ pending: said }), plus(DAY))).toEqual({})
    const left = found({ pending: said, standing: stands('unsubscribed', plus(MINUTE)) })
    expect(rule(request(), left, plus(DAY))).toEqual({})
  })

  it('no more when nobody could answer it any more', () => {
    expect(rule(request(), found(), plus(14 * DAY + 1))).toEqual({})
  })
})

describe('the letter that is reserved each day', () => {
  const [theirs, mine, other] = ['t', 'm', 'o'].map((one) => one.repeat(22)) as [
    string,
    string,
    string,
  ]
  const johns = ['johnsmith', 'j.ohnsmith', 'jo.hnsmith'].map((name) =>
    pending({ email: `${name}@gmail.com`, networks: [theirs] }),
  )
  const john = 'john.smith@gmail.com'
  const asked = (network: string | undefined, at: Date, email = john) =>
    rule(request({ email, network, at }), found({ mailbox: johns }), at)

  it('goes to the owner at once, though a stranger used up all of their mailbox', () => {
    const at = plus(MINUTE)
    expect(asked(mine, at)).toMatchObject({
      isSent: true,
      pending: { letters: 1, reservedAt: at, networks: [mine] },
    })
  })

  it('goes to nobody from a network that it had a letter from, or from none that is known', () => {
    for (const network of [theirs, undefined])
      expect(asked(network, plus(DAY)).isSent).toBeUndefined()
    // One of its addresses is enough.
    const mailbox = johns.map((one, i) => (i === 1 ? { ...one, networks: [mine] } : one))
    const next = request({ email: john, network: mine, at: plus(DAY) })
    expect(rule(next, found({ mailbox }), plus(DAY)).isSent).toBeUndefined()
  })

  it('goes to no address with a tag', () => {
    const tags = johns.map((one) => ({ ...one, email: one.email.replace('@', '+1@') }))
    const next = request({ email: 'john+2@gmail.com', network: mine })
    expect(rule(next, found({ mailbox: tags }), plus(DAY)).isSent).toBeUndefined()
  })

  it('goes to nobody who said that it was not them, whatever address of theirs is typed', () => {
    const [first, ...others] = johns as [Pending, ...Pending[]]
    const mailbox = [{ ...first, noAt: plus(MINUTE) }, ...others]
    const next = request({ email: john, network: mine })
    expect(rule(next, found({ mailbox }), plus(DAY)).isSent).toBeUndefined()
    // A program may have pressed both.
    const both = [{ ...first, noAt: plus(MINUTE), yesAt: plus(MINUTE) }, ...others]
    expect(rule(next, found({ mailbox: both }), plus(DAY)).isSent).toBe(true)
  })

  it('is one a day, from however many networks', () => {
    const { pending: first } = asked(mine, plus(DAY))
    if (!first) throw new Error('it did not leave')
    const known = found({ mailbox: [...johns, first] })
    const next = (at: Date) => {
      const from = request({ email: 'john.smit.h@gmail.com', network: other, at })
      return rule(from, known, at)
    }
    expect(next(plus(2 * DAY - 1)).isSent).toBeUndefined()
    expect(next(plus(2 * DAY))).toMatchObject({
      isSent: true,
      pending: { reservedAt: plus(2 * DAY) },
    })
  })

  it('is there again where it did not leave, also for that network', () => {
    const { pending: first } = asked(mine, plus(MINUTE))
    for (const kind of ['deferred', 'unsent', 'unusable'] as const) {
      const back = first && afterSending({ kind, answer: '451' }, undefined)?.(first)
      if (!back) throw new Error('nothing changed')
      const known = found({ pending: back, mailbox: [...johns, back] })
      const again = request({ email: john, network: mine, tries: 1 })
      expect(rule(again, known, plus(2 * MINUTE)).isSent, kind).toBe(true)
    }
  })

  it('bounds what reaches a mailbox: twenty in fourteen days, by however many strangers', () => {
    const kept = new Map<string, Pending>()
    const left: number[] = []
    for (let hour = 0; hour < 60 * 24; hour++) {
      const at = plus(hour * 60 * MINUTE)
      for (const name of ['john.smith', 'johnsmith', `j.ohnsmith+${hour}`, `j+${hour % 5}`]) {
        const email = `${name.replace('j+', 'johnsmith+')}@gmail.com`
        const known = found({ mailbox: [...kept.values()] })
        const own = kept.get(email)
        const network = `${hour}`.padStart(22, '0')
        const next = request({ email, network, at })
        const { isSent, pending: sent } = rule(next, { ...known, pending: own }, at)
        if (isSent) left.push(hour)
        if (isSent && sent) kept.set(email, sent)
      }
    }
    const most = Math.max(
      ...left.map((from) => left.filter((at) => at >= from && at < from + 14 * 24).length),
    )
    expect(most).toBe(20)
  })
})

describe('signs of a robot', () => {
  const suspicion = 'hidden-field'
  const suspect = request({ suspicion })

  it('are never put on somebody who asked without any', () => {
    const known = found({ pending: pending() })
    expect(rule(suspect, known, plus(MINUTE))).toEqual({})
    expect(rule(suspect, known, plus(15 * MINUTE)).pending?.suspicion).toBeUndefined()
  })

  it('leave the link as good as any, also for who was quarantined since', () => {
    const from = found({ pending: pending({ suspicion }) })
    expect(press(keys, addressId, 'yes')(from, plus(DAY)).consent).toBeDefined()
    const held = { ...from, isOnList: true, standing: stands('quarantined', plus(MINUTE)) }
    expect(press(keys, addressId, 'yes')(held, plus(DAY))).toMatchObject({ result: 'done' })
    const left = { ...from, standing: stands('unsubscribed', plus(MINUTE)) }
    expect(press(keys, addressId, 'yes')(left, plus(DAY))).toMatchObject({ result: 'ended' })
  })
})

describe('the page behind the link', () => {
  /** Presses in turn, as a store would. @returns what each said, and what is kept. */
  function presses(
    given: readonly Press[],
    { at = plus(DAY), from = found({ pending: pending() }) } = {},
  ) {
    let known = from
    const steps = given.map((one) => {
      const { result, pending: kept, consent } = press(keys, addressId, one)(known, at)
      if (kept) known = { ...known, pending: kept }
      if (consent) known = { ...known, isOnList: true, standing: undefined, consent }
      if (consent === null) known = { ...known, standing: stands('pending', at) }
      return result
    })
    return { steps, known }
  }
  const code = { code: keys.code(addressId, start) }
  const isIn = ({ isOnList, standing }: Known) => isOnList && !standing

  it('asks', () => {
    expect(stepOf(found({ pending: pending() }), plus(DAY))).toBe('ask')
  })

  it('confirms by a yes, and says the same to the next', () => {
    const { steps, known } = presses(['yes', 'yes'])
    expect(steps).toEqual(['done', 'done'])
    expect(isIn(known)).toBe(true)
  })

  it('says that it is done as long as the receipt is kept, unless its reader left since', () => {
    const { consent } = press(keys, addressId, 'yes')(found({ pending: pending() }), plus(DAY))
    const receipt = { consent: consent ?? undefined }
    expect(stepOf(found(receipt), plus(30 * DAY))).toBe('done')
    const left = { ...receipt, standing: stands('unsubscribed', plus(2 * DAY)) }
    expect(stepOf(found(left), plus(30 * DAY))).toBe('ended')
  })

  it('keeps a receipt of what was shown, asked and answered', () => {
    const { consent } = press(keys, addressId, 'yes')(found({ pending: pending() }), plus(DAY))
    expect(consent).toEqual({
      ...shown,
      askedAt: start.toISOString(),
      confirmedAt: plus(DAY).toISOString(),
      messageId: '<m@x>',
      letterDigest: 'd',
      how: 'button',
    })
  })

  it('leaves in peace whoever says no', () => {
    expect(presses(['no', 'no']).steps).toEqual(['not-me', 'not-me'])
  })

  it.for([
    ['yes', 'no'],
    ['no', 'yes'],
    ['yes', 'no', 'yes', 'no', 'yes'],
  ] as const)('asks for the code where both were pressed: %s', (given) => {
    const { steps, known } = presses(given)
    expect(steps.at(-1)).toBe('code')
    expect(isIn(known)).toBe(false)
    const { steps: later, known: end } = presses([code, 'no', 'yes'], { from: known })
    expect(later).toEqual(['done', 'done', 'done'])
    expect(isIn(end)).toBe(true)
  })

  it('takes the code of a later letter, whose wrong ones are counted anew', () => {
    const wrong = { code: code.code === '000000' ? '000001' : '000000' }
    const { known } = presses(['no', 'yes', ...Array(5).fill(wrong)])
    const { pending: next } = rule(request({ at: plus(DAY) }), known, plus(DAY))
    const sent = next && afterSending({ kind: 'accepted', answer: '250' }, known.pending)?.(next)
    const from = { ...known, ...(sent && { pending: sent }) }
    expect(presses([...Array(4).fill(wrong), code], { from }).steps.at(-1)).toBe('done')
    expect(presses([...Array(5).fill(wrong), code], { from }).steps.at(-1)).toBe('wrong')
  })

  it('takes a code with the gap that the letter shows', () => {
    const spaced = { code: ` ${code.code.slice(0, 3)} ${code.code.slice(3)} ` }
    expect(presses(['no', 'yes', spaced]).steps.at(-1)).toBe('done')
  })

  it('has ended after fourteen days, whatever is pressed, and takes nothing back', () => {
    const late = { at: plus(14 * DAY) }
    expect(presses(['yes', 'no', code], late).steps).toEqual(['ended', 'ended', 'ended'])
    const done = pending({ confirmedAt: plus(DAY), how: 'button' as const })
    const from = found({ pending: done, isOnList: true })
    expect(presses(['no', 'yes'], { ...late, from }).steps).toEqual(['done', 'done'])
  })

  it('lifts nothing that was said after it was asked', () => {
    const from = found({
      pending: pending(),
      isOnList: true,
      standing: stands('unsubscribed', plus(1)),
    })
    expect(presses(['yes', 'no', code], { from }).steps).toEqual(['ended', 'ended', 'ended'])
  })
})

it('is over fourteen days after the last letter, however it ended', () => {
  const end = (one: Pending, at: Date) => endOf(one, at)
  expect(endsAt(pending({ lastLetterAt: plus(DAY) }))).toEqual(plus(15 * DAY))
  expect(end(pending(), plus(14 * DAY - 1))).toBeUndefined()
  expect(end(pending(), plus(14 * DAY))).toBe('expired')
  expect(end(pending({ confirmedAt: start }), plus(14 * DAY))).toBe('confirmed')
})
