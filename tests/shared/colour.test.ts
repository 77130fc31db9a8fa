import { describe, expect, it } from 'vitest'
import { AA, contrast, inkOn, isColour, readableOn } from '../../src/shared/colour.ts'

it('knows a colour by its six digits, and nothing around them', () => {
  for (const colour of ['#2ee6a0', '#FFFFFF']) expect(isColour(colour), colour).toBe(true)
  for (const no of ['2ee6a0', '#2ee', '#2ee6a0ff', '#2ee6a0;', ' #2ee6a0', 'x#2ee6a0', '#gggggg'])
    expect(isColour(no), no).toBe(false)
})

describe('contrast', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    // The grey that everybody knows as just short of AA on white, and the one that passes.
    ['#777777', '#ffffff', 4.48],
    ['#767676', '#ffffff', 4.54],
    ['#ff0000', '#000000', 5.25],
  ])('of %s and %s is what WCAG says, in either order', (one, other, ratio) => {
    expect(contrast(one, other)).toBeCloseTo(ratio, 2)
    expect(contrast(other, one)).toBeCloseTo(ratio, 2)
  })
})

it.each([
  ['#ffd60a', '#08090b'],
  ['#ff7a1a', '#08090b'],
  ['#1d4ed8', '#ffffff'],
  ['#7c3aed', '#ffffff'],
])('the ink on %s is %s', (ground, ink) => {
  expect(inkOn(ground)).toBe(ink)
})

describe('a colour that can be read', () => {
  it('is the colour itself where it passes', () => {
    expect(readableOn('#000000', '#ff7a1a')).toBe('#ff7a1a')
    expect(readableOn('#ffffff', '#1d4ed8')).toBe('#1d4ed8')
  })

  it.each(['#000000', '#101216', '#ffffff', '#f2f3f5'])(
    'else only just passes on %s, and keeps its hue',
    (ground) => {
      for (const colour of ['#1a2b5c', '#800000', '#0a5c36', '#2ee6a0', '#ffd60a', '#808080']) {
        const readable = readableOn(ground, colour)
        expect(contrast(readable, ground), `${colour} as ${readable}`).toBeGreaterThanOrEqual(AA)
        if (readable === colour) continue
        expect(contrast(readable, ground), `${colour} as ${readable}`).toBeLessThan(AA * 1.03)
        expect(strongest(readable), `${colour} as ${readable}`).toBe(strongest(colour))
      }
    },
  )
})

/** Which of red, green and blue there is most of. */
function strongest(colour: string): number {
  const parts = [1, 3, 5].map((from) => Number.parseInt(colour.slice(from, from + 2), 16))
  return parts.indexOf(Math.max(...parts))
}
