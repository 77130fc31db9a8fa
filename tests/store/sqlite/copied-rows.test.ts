import { describe, expect, it } from 'vitest'
import { sayNo, signUp } from '../../../src/people/changes.ts'
import { isOnList, nobody } from '../../../src/people/person.ts'
import { personText } from '../../../src/people/stored.ts'
import { announcementIn, deliveryIn, personRowIn } from '../../../src/store/sqlite/copied-rows.ts'
import { ids } from '../../fixtures/keys.ts'

const at = '2026-01-09T08:07:06.005Z'
const time = new Date(at)
const email = 'ada@example.com'
const addressId = ids.of(email)
const inAYear = new Date(Date.now() + 365 * 86_400_000).toISOString()

/** Times that no store of ours has written. */
const notTimes = [
  ...[null, 5, '', 'x', '2026-01-09', '2026-01-09 08:07:06.005Z', ` ${at}`, `${at}\n`],
  ...['2026-99-99T99:99:99.999Z', '2026-02-30T08:07:06.005Z', '2026-01-09T24:00:00.000Z'],
  ...['2026-01-09T08:07:06Z', '2026-13-09T08:07:06.005Z', '+275760-09-13T00:00:00.000Z'],
  ...['1969-12-31T23:59:59.999Z', inAYear],
]

describe('somebody in a copy', () => {
  const asOf = new Date('2026-05-06T07:08:09.010Z')
  const one = sayNo(signUp(nobody, { email, at: time }), 'bounced', { at: time, detail: '550 no' })
  const stored = JSON.parse(personText(one)) as Record<string, unknown>
  const read = (more: object, id: unknown = addressId) =>
    personRowIn({ id, data: JSON.stringify({ ...stored, ...more }) }, ids, asOf)?.person

  it('is as they are kept, also where only an id is known', () => {
    expect(read({})).toEqual(one)
    const left = sayNo(nobody, 'unsubscribed', { at: time })
    expect(personRowIn({ id: addressId, data: personText(left) }, ids)?.person).toEqual(left)
  })

  it.each(['request', 'pending'])('is on the list without a %s that cannot be read', (name) => {
    expect(read({ [name]: 5 })).toEqual(one)
  })

  it('brings no order for a terminal, and no long story', () => {
    const detail = `550\u001b]52;c;x\u0007\u2028no${'x'.repeat(5000)}`
    const kept = read({ noes: { bounced: { at, detail } } })?.noes.bounced?.detail
    expect(kept).toMatch(/^550 \]52;c;x nox+$/)
    expect(kept).toHaveLength(200)
  })

  it.each([
    ...[null, 5, '', 'x'.repeat(21), 'x'.repeat(23), `${'x'.repeat(21)}!`, `${'x'.repeat(22)}\n`],
    ids.of('somebody.else@example.com'),
  ])('is nobody under the id %j', (wrong) => {
    expect(read({}, wrong)).toBeUndefined()
  })

  it.each([
    ...[null, 5, '', 'x', 'a@b', ' ada@example.com', 'ADA@example.com'],
    ...['ada@example.com\r\nBcc: x@example.com', '\u001b[2Jada@example.com'],
  ])('is not on the list with the address %j, and keeps their no', (wrong) => {
    const found = read({ email: wrong })
    expect(found && isOnList(found)).toBe(false)
    expect(found?.noes).toEqual(one.noes)
  })

  it.each(notTimes)('is not on the list by the time %j', (wrong) => {
    const found = read({ signedUp: { first: wrong, lifts: at } })
    expect(found && isOnList(found)).toBe(false)
  })

  it.each(notTimes)('said no when the copy was made, where the time is %j', (wrong) => {
    const later = wrong === inAYear
    const found = read({ noes: { bounced: { at: wrong } } })
    expect(found?.noes).toEqual(later ? { bounced: { at: asOf } } : { unsubscribed: { at: asOf } })
  })

  it.each(['', true, { Unsubscribed: { at } }, { unsubscribed: true }])(
    'said no where their noes are %j, which nobody can read',
    (noes) => expect(read({ noes })?.noes).toEqual({ unsubscribed: { at: asOf } }),
  )
})

describe('an announcement in a copy', () => {
  const row = { id: 'launch', subject: 'We are open', digest: 'x', begunAt: at }

  it('is as it was begun, whatever it is called, and its cut-off and number of people are those of the list it comes into', () => {
    const copied = { ...row, upTo: 7, eligible: 7 }
    for (const id of ['launch', 'a', '1', 'a-1', 'x'.repeat(60)])
      expect(announcementIn({ ...copied, id })).toEqual({ ...row, id, begunAt: time })
  })

  it.each([null, 5, '', '-a', 'a-', 'A', 'a b', 'a\n', '../a', 'x'.repeat(61)])(
    'is none when it is called %j',
    (id) => {
      expect(announcementIn({ ...row, id, eligible: 1 })).toBeUndefined()
    },
  )

  it('is known all the same without its time', () => {
    const asOf = new Date('2026-05-06T07:08:09.010Z')
    for (const begunAt of notTimes)
      expect(announcementIn({ ...row, begunAt }, asOf)).toMatchObject({
        ...{ id: 'launch', begunAt: asOf },
      })
  })

  it('is none without a subject or a digest, and neither says more than a line', () => {
    for (const which of ['subject', 'digest']) {
      expect(announcementIn({ ...row, eligible: 1, [which]: null })).toBeUndefined()
      const long = `a\r\n\u202eb${'x'.repeat(2000)}`
      const line = `a b${'x'.repeat(997)}`
      expect(announcementIn({ ...row, eligible: 1, [which]: long })).toMatchObject({
        [which]: line,
      })
    }
  })
})

describe('a delivery in a copy', () => {
  const row = { number: 7, addressId, status: 'sent', tries: 1, changedAt: at }
  const sent = {
    number: 7,
    addressId,
    status: 'sent',
    tries: 1,
    changedAt: time,
    answer: '250 ok',
    standing: undefined,
    language: undefined,
    isOpen: false,
  }
  const read = (more: object) => deliveryIn({ ...row, answer: '250 ok', standing: null, ...more })

  it('is what happened, with the last answer', () => {
    expect(read({})).toEqual(sent)
    for (const status of ['failed', 'uncertain'])
      expect(read({ status })).toEqual({ ...sent, status })
    const suppressed = { status: 'suppressed', standing: 'mailbox' }
    expect(read(suppressed)).toEqual({ ...sent, ...suppressed })
    expect(read({ answer: null, tries: 0 })).toEqual({ ...sent, answer: undefined, tries: 0 })
  })

  it.each(['queued', 'sending'])('is uncertain when it was %s then', (status) => {
    const restored = { ...sent, isOpen: true, status: 'uncertain', answer: 'restored from a copy' }
    expect(read({ status })).toEqual(restored)
    // One more try is not its first: who retries the uncertain takes no new ones.
    expect(read({ status, tries: 0 })).toEqual(restored)
    expect(read({ status, tries: 3 })).toEqual({ ...restored, tries: 3 })
  })

  it('of somebody forgotten leads to nobody, and so does one under what is no id', () => {
    const forgotten = { status: 'forgotten', number: -3 }
    expect(read(forgotten)).toEqual({ ...sent, ...forgotten, addressId: undefined })
    for (const id of [null, '', 'a.b', 5])
      expect(read({ addressId: id }), String(id)).toEqual({ ...sent, addressId: undefined })
  })

  it('is none without a status or a count', () => {
    for (const number of [null, 0.5, '1', 2 ** 53])
      expect(read({ number }), `${number}`).toBeUndefined()
    for (const status of [null, '', 'told', 5])
      expect(read({ status }), `${status}`).toBeUndefined()
    // One more of it has to be a number too.
    for (const tries of [-1, 0.5, '1', null, Number.MAX_SAFE_INTEGER])
      expect(read({ tries }), `${tries}`).toBeUndefined()
  })

  it('is known all the same without a time: who was told is not told again', () => {
    const asOf = new Date('2026-05-06T07:08:09.010Z')
    for (const wrong of notTimes) {
      const told = { ...row, answer: '250 ok', standing: null, changedAt: wrong }
      expect(deliveryIn(told, asOf)).toEqual({ ...sent, changedAt: asOf })
    }
  })
})
