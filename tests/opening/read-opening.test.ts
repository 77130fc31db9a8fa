import { describe, expect, it } from 'vitest'
import {
  countdownBeside,
  countdownOf,
  openingSentences,
  readOpening,
  undoSentence,
} from '../../src/opening/read-opening.ts'

const url = 'https://app.example.com/'
const now = new Date('2027-01-12T08:00:00Z')
const wanted = { url, ownZone: 'Asia/Tokyo' }
const later = { url, at: new Date('2027-01-13T08:00:00Z'), zone: 'UTC', openedAt: undefined }
const since = new Date('2027-01-10T08:00:00Z')
const open = { url, at: since, zone: 'Europe/Berlin', openedAt: since }
const opensAt = { at: '2027-01-14T09:00', zone: 'UTC' }

describe('an opening that is asked for', () => {
  it('is now, in the zone of who asks, where it names no time', () => {
    const opening = { url, at: now, zone: 'Asia/Tokyo', openedAt: now }
    expect(readOpening(undefined, wanted, now)).toEqual({ opening })
    // One that was set for later is replaced.
    expect(readOpening(later, wanted, now)).toEqual({ opening })
    const { ownZone: _, ...here } = wanted
    expect(readOpening(undefined, here, now)).toMatchObject({
      opening: { zone: expect.stringMatching(/./) },
    })
  })

  it('keeps since when the page is open where it only leads elsewhere', () => {
    const other = { ...wanted, url: 'https://other.example.com/' }
    expect(readOpening(open, other, now)).toEqual({ opening: { ...open, url: other.url } })
  })

  it('is at a time to come, and neither over, now, nor of a page that is open', () => {
    const at = (text: string, before?: typeof open) =>
      readOpening(before, { ...wanted, at: text, zone: 'UTC' }, now)
    expect(at('2027-01-13T08:00')).toEqual({ opening: later })
    expect(at('2027-01-12T07:59')).toMatchObject({ wrong: 'over' })
    expect(at('2027-01-12T08:00')).toMatchObject({ wrong: 'over' })
    expect(at('2027-01-13T08:00', open)).toEqual({ wrong: 'open', mistake: 'The page is open.' })
    expect(at('soon')).toMatchObject({ wrong: 'at' })
  })

  it('leads to no page of ours, and to what a browser can open', () => {
    const to = (text: string) =>
      readOpening(undefined, { url: text, publicUrl: 'https://example.com' }, now)
    expect(to('https://example.com/')).toEqual({
      wrong: 'url',
      mistake: 'https://example.com/ is this page itself: name where the product is.',
    })
    expect(to('ftp://example.com/')).toMatchObject({ wrong: 'url' })
    expect(to('https://example.com/app')).toHaveProperty('opening')
  })
})

describe('what is said of an opening', () => {
  it('is that the page is open, or when it opens and where its button will lead', () => {
    expect(openingSentences(open, now, {})).toEqual([
      `The page is open, and its button leads to ${url}`,
      'Every running server shows that within a second, and pages in open tabs within ten.',
    ])
    expect(openingSentences(later, now, {})).toEqual([
      expect.stringMatching(/^The page opens .*2027.*; its button will lead to https:.*$/),
    ])
  })

  it('is also that the countdown promises another time', () => {
    expect(openingSentences(later, now, { opensAt })).toHaveLength(2)
    expect(countdownBeside(later, { opensAt })).toMatch(/^The countdown on the page says .*14/)
    expect(countdownBeside({ at: new Date('2027-01-14T09:00:00Z') }, { opensAt })).toBeUndefined()
    expect(countdownBeside(later, {})).toBeUndefined()
    expect(countdownOf({ opensAt: { at: 'soon', zone: 'UTC' } })).toBeUndefined()
  })

  it('is what taking it back does', () => {
    expect(undoSentence(open, now)).toMatch(/^The page says Coming Soon again\./)
    expect(undoSentence(later, now)).toBe('The page will not open by itself any more.')
  })
})
