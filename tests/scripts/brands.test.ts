import { expect, test } from 'vitest'
import { findSceneFaults } from '../../scripts/build/check-scene.ts'
import { findProductMistakes, type Product } from '../../src/shared/product.ts'
import { brands } from '../fixtures/brands.ts'

test.each(Object.entries(brands))('%s is a product that a build takes', (_, brand: Product) => {
  expect(findProductMistakes({ ...brand })).toEqual([])
})

test("a founder's own scene keeps the contract as far as its files show", async () => {
  expect(await findSceneFaults('brand/../tests/fixtures/products/aurora')).toEqual([])
})
