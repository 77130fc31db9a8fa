import { expect, it } from 'vitest'
import { EMAIL_SLOT, FRIEND_PARAMETER, FRIEND_SLOT, OPEN_URL_SLOT } from '../../src/site/site.ts'

it('a personal link that somebody posted long ago still names its owner', () => {
  expect(FRIEND_PARAMETER).toBe('by')
})

it('a placeholder is found in a page where it was put, and none within another', () => {
  const slots = [EMAIL_SLOT, OPEN_URL_SLOT, FRIEND_SLOT]
  for (const slot of slots) {
    expect(slot).toMatch(/^%?[A-Z_]{5,}%?$/)
    expect(slots.filter((one) => one.includes(slot))).toEqual([slot])
  }
  expect(encodeURIComponent(FRIEND_SLOT)).toBe(FRIEND_SLOT)
})
