import { expect, it } from 'vitest'
import { FRIEND_PARAMETER, FRIEND_SLOT, OPEN_URL_SLOT, typedSlots } from '../../src/site/site.ts'

it('a personal link that somebody posted long ago still names its owner', () => {
  expect(FRIEND_PARAMETER).toBe('by')
})

it('a placeholder is found in a page where it was put, and none within another', () => {
  const slots = [...Object.values(typedSlots), OPEN_URL_SLOT, FRIEND_SLOT]
  for (const slot of slots) {
    expect(slot).toMatch(/^%?[A-Z_]{4,}%?$/)
    expect(slots.filter((one) => one.includes(slot))).toEqual([slot])
  }
  expect(encodeURIComponent(FRIEND_SLOT)).toBe(FRIEND_SLOT)
})
