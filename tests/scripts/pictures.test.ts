import { expect, it } from 'vitest'
import { drawPreviews } from '../../scripts/build/pictures.ts'
import { openTypeface } from '../../scripts/build/typeface.ts'
import { PARTS, readPng } from '../../scripts/chromium/png.ts'
import type { Product } from '../../src/shared/product.ts'
import { products } from '../fixtures/products.ts'

const typeface = await openTypeface()

/** Whether the sun of `horizon` is seen below the middle, where words would stand: on the right, and on the left. */
async function sunsOn(product: Product): Promise<[boolean, boolean]> {
  const { 'social.png': file } = await drawPreviews({ ...product, scene: 'horizon' }, typeface)
  const { width, data } = await readPng(Buffer.from(file ?? []))
  const at = (x: number) => data.subarray((400 * width + x) * PARTS).subarray(0, 3)
  const isSun = (x: number) => Buffer.from(at(x)).toString('hex') === product.accent?.slice(1)
  return [isSun(752), isSun(1200 - 752)]
}

it('a link preview without words has the scene in their room, on the side where the text of its language ends', async () => {
  expect(await sunsOn({ ...products.hatsukaze, logo: 'brand/logo.svg' })).toEqual([true, false])
  expect(await sunsOn({ ...products.warraq, logo: 'brand/logo.svg' })).toEqual([false, true])
})
