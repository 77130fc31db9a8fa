import { describe, expect, it } from 'vitest'
import { pendingFrom } from '../../src/people/pending.ts'

const row = {
  askedAt: '2026-01-01T00:00:00.000Z',
  noAt: '2026-01-02T00:00:00.000Z',
  letters: 1,
  shown: { words: 'Notify Me', page: 'a1', language: 'en' },
}

describe('who said "This was not me"', () => {
  it.each([
    ['when they were asked', { ...row, askedAt: '2026-99-99T99:99:99.999Z' }],
    ['when they said so', { ...row, noAt: 'yesterday' }],
    ['what they had before them', { ...row, shown: 'nothing' }],
  ])('is left in peace also where it cannot be read %s', (_, copied) => {
    const { noAt, askedAt } = pendingFrom(JSON.stringify(copied)) ?? {}
    expect(noAt).toBeInstanceOf(Date)
    expect(askedAt).toBeInstanceOf(Date)
  })
})

it('nobody is pending who said nothing and was asked at no time', () => {
  const { noAt: _, ...others } = row
  expect(pendingFrom(JSON.stringify({ ...others, askedAt: 'yesterday' }))).toBeUndefined()
  expect(pendingFrom(JSON.stringify({ ...others, shown: 'nothing' }))).toBeUndefined()
})
