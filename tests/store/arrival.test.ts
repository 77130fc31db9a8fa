import { describe, expect, it } from 'vitest'
import {
  entryIn,
  inTurn,
  lateArrival,
  requestArrival,
  signUpArrival,
} from '../../src/store/arrival.ts'
import { ids } from '../fixtures/keys.ts'

const ada = 'ada@example.com'
const at = new Date('2026-01-01T12:00:00.000Z')
const record = JSON.stringify({ email: ada, subscribedAt: at })
const row = (seen: unknown, to = 'subscribers', data = record) => ({
  collection: `/artifacts/test/public/data/${to}`,
  data,
  seen: JSON.stringify(seen),
})

describe('the lines of what waits', () => {
  it('are taken in turn, two of the first for one of the others, until all are in', () => {
    const lines = [['a', 'b', 'c', 'd', 'e'], ['x', 'y', 'z'], ['r']]
    expect(inTurn(lines).join('')).toBe('abxcdreyz')
    expect(inTurn([[], ['x', 'y'], []]).join('')).toBe('xy')
    expect(inTurn([[], [], []])).toEqual([])
    // Where a slice ends after one of them, the next one goes on.
    expect([0, 1, 2, 3, 4, 5, 6].map((before) => inTurn(lines, before)[0]).join('')).toBe('aaxaara')
  })

  it('have robots last, and a crowd in the middle', () => {
    const shown = { words: 'Tell me', page: 'a1', language: 'en' }
    const lineOf = (suspicion?: string, isCrowd = false) =>
      requestArrival(ada, { shown, suspicion, isCrowd }).line
    expect([lineOf(), lineOf(undefined, true), lineOf('hidden-field')]).toEqual([0, 1, 2])
    expect(signUpArrival(ada, { suspicion: 'too-quick' }).line).toBe(1)
  })
})

describe('what waits is read back', () => {
  it('as it was appended', () => {
    const said = { source: { source: 'hn' }, key: 'random' }
    const { seen } = signUpArrival(ada, said)
    const entry = entryIn(row(seen), ids.of)
    expect(entry).toMatchObject({ to: 'subscribers', email: ada, at, isLate: false, said })
    expect(entryIn(row({ answer: 'Bonn' }, 'replies'), ids.of)).toMatchObject({
      said: { answer: 'Bonn' },
    })
  })

  it('from elsewhere, with a time of its own', () => {
    const arrival = signUpArrival(ada, { key: 'random' })
    const late = lateArrival(arrival, at)
    expect(late).toMatchObject({ to: 'subscribers', who: { email: ada }, line: 0, at })
    const entry = entryIn(row(arrival.seen), ids.of)
    expect(entryIn(row(late.seen), ids.of)).toEqual({ ...entry, isLate: true })
  })

  it.each([
    ['no JSON', { ...row({}), seen: 'nothing' }],
    ['of no collection of ours', row({}, 'others')],
    ['without a time', row({}, 'subscribers', JSON.stringify({ email: ada }))],
    [
      'of no address',
      row({}, 'subscribers', JSON.stringify({ email: 'Ada <a@b.de>', subscribedAt: at })),
    ],
    ['a request that nobody saw', row({}, 'confirmationRequests')],
    ['a reply that is none', row({ answer: 7 }, 'replies')],
    ['a reply that is too long', row({ answer: 'x'.repeat(201) }, 'replies')],
    [
      'a letter’s reply by no id',
      row({ answer: 'x' }, 'replies', JSON.stringify({ addressId: 'x', subscribedAt: at })),
    ],
  ])('as nothing: %s', (_, hostile) => {
    expect(entryIn(hostile, ids.of)).toBeUndefined()
  })
})
