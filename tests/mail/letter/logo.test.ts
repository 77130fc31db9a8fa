import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { drawLogo } from '../../../src/mail/letter/logo.ts'

it('a logo that is no square is drawn into one, so that no mail client pulls it out of shape', async () => {
  const svg = readFileSync(join(import.meta.dirname, '../../fixtures/products/northern-lights.svg'))
  const png = await drawLogo(svg)
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([64, 64])
})
