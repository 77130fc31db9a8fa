import { expect, it } from 'vitest'
import { notesIn, notesKept, notesText, type RunNotes } from '../../src/store/run-notes.ts'

const notes: RunNotes = {
  rate: '2000/h',
  stopShare: 0.05,
  countedFrom: new Date(5000),
  sawOpen: true,
  options: ['--rate=2000/h'],
  next: 'send',
  sending: { since: new Date(6000), people: 40, before: 2 },
  found: [{ code: 'page-not-set', verdict: 'problem' }],
  end: { why: 'refused', answer: '', refusal: { code: 'overtaken' } },
  stage: 'everyone',
  isFromDesk: true,
}

it('what a run notes of itself comes back as it was, and the next run goes on with how it was sent', () => {
  expect(notesIn(notesText(notes))).toEqual(notes)
  const { rate, stopShare, countedFrom, sawOpen, options } = notes
  expect(notesKept(notes)).toEqual({ rate, stopShare, countedFrom, sawOpen, options })
})

it('no address is kept with a run, wherever it stood', () => {
  const answer = '550 <ada@example.com>: "a b"@x.org was not found'
  const found = [{ code: 'mail-server', verdict: 'fatal', answer }] as const
  const text = notesText({ found, end: { why: 'unusable', answer } })
  expect(text).not.toMatch(/ada|@example|x\.org/)
  expect(notesIn(text).end?.why).toBe('unusable')
})

it('whatever anybody wrote into the row of a run is read as if it were not there', () => {
  const nothing = notesIn(undefined)
  for (const text of ['', '{', 'null', '7', '[]', '"x"', '{"rate":7,"next":"x","end":"done"}'])
    expect(notesIn(text), text).toEqual(nothing)
  const named = [{ toString: 1 }, '\0'].map((about) => ({ code: 'x', verdict: 'problem', about }))
  const odd = {
    ...{ stopShare: '1', countedFrom: '2026-99-99', sawOpen: 1, options: [7, '--rate=1'] },
    ...{ sending: { since: new Date(0).toISOString(), people: -1, before: 0 }, stage: {} },
    ...{
      found: [null, 7, { code: 7 }, ...named, { code: 'x' }],
      end: { why: 'x'.repeat(9000), answer: '' },
    },
  }
  const read = notesIn(JSON.stringify(odd))
  expect(read).toMatchObject({ options: ['--rate=1'], found: [{ code: 'x' }] })
  expect(read.end?.why).toHaveLength(2000)
  for (const key of ['stopShare', 'countedFrom', 'sawOpen', 'sending', 'stage'] as const)
    expect(read[key], key).toBeUndefined()
})
