import { expect, it } from 'vitest'
import product from '../../../product.config.ts'
import { productSettings } from '../../../src/features/all-rules.ts'
import { findProductMistakes } from '../../../src/shared/product.ts'

it('links to pass the page on are on or off, and nothing else', () => {
  const mistakes = (share: unknown) => findProductMistakes({ ...product, share }, productSettings)
  for (const share of [true, false]) expect(mistakes(share)).toEqual([])
  expect(mistakes('yes')).toEqual(['share: is "yes", must be true or false'])
})
