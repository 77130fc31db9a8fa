import { expect, it } from 'vitest'
import { CODE_PARAMETER } from '../../src/features/referrals/parameter.ts'
import { OPEN_URL_SLOT, PERSON_SLOT, typedSlots } from '../../src/site/site.ts'

it('a personal link that somebody posted long ago still names its owner', () => {
  expect(CODE_PARAMETER).toBe('by')
})

it('a placeholder is found in a page where it was put, and none within another', () => {
  const slots = [...Object.values(typedSlots), OPEN_URL_SLOT, PERSON_SLOT]
  for (const slot of slots) {
    expect(slot).toMatch(/^%?[A-Z_]{4,}%?$/)
    expect(slots.filter((one) => one.includes(slot))).toEqual([slot])
  }
  expect(encodeURIComponent(PERSON_SLOT)).toBe(PERSON_SLOT)
})
