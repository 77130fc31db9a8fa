import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import product from '../../../product.config.ts'
import { letterColours } from '../../../src/mail/letter/colours.ts'
import { layout } from '../../../src/mail/letter/layout.ts'
import { drawLogo, logoWidth } from '../../../src/mail/letter/logo.ts'

const drawn = (name: string) =>
  drawLogo(readFileSync(join(import.meta.dirname, `../../fixtures/products/${name}.svg`)))
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)]
const letter = (logoWidth: number) =>
  layout({
    subject: '',
    preview: '',
    name: 'Northern & Co',
    logo: 'cid:logo',
    logoWidth,
    colours: letterColours(product),
    body: '',
    footer: '',
  })

it('a logo that is no square is drawn into one, so that no mail client pulls it out of shape', async () => {
  const png = await drawn('polaris')
  expect(sizeOf(png)).toEqual([64, 64])
  expect(letter(logoWidth(png))).toMatch(
    /width="32" height="32" alt=""[\s\S]*>Northern &#38; Co<\/td>/,
  )
})

it('a wordmark is as wide as it needs, and stands for the name, which is there without pictures', async () => {
  const png = await drawn('northern-lights')
  expect(sizeOf(png)).toEqual([180, 64])
  const html = letter(logoWidth(png))
  expect(html).toContain('width="90" height="32" alt="Northern &#38; Co"')
  expect(html).not.toContain('>Northern &#38; Co<')
})
