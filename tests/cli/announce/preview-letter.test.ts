import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import product from '../../../product.config.ts'
import { readLetterFile } from '../../../src/announcement/run/letter-file.ts'
import { previewLetter } from '../../../src/cli/announce/preview-letter.ts'
import { productFolder } from '../../../src/product/folders.mjs'
import type { ProductLanguages } from '../../../src/shared/product.ts'
import { listening } from '../../fixtures/spoken.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const inLanguage = (code: string) => ({
  code,
  path: `/${code}`,
  product: { ...product, language: code },
})
const languages: ProductLanguages = [inLanguage('en'), inLanguage('ar'), inLanguage('de')]

it('a letter is looked at as a reader of each language gets it', async () => {
  const folder = tempDir()
  const source = (text: string) => `---\nsubject: News\nfrom: team@example.com\n---\n${text}\n`
  writeFileSync(join(folder, 'launch.md'), source('We are live'))
  writeFileSync(join(folder, 'launch.ar.md'), source('نحن هنا'))
  const letter = await readLetterFile(join(folder, 'launch.md'), '', languages, productFolder)
  const look = async (code?: string) => {
    const { said, result, out } = listening()
    await previewLetter(letter, languages, code, out)
    return { said, html: result() }
  }

  const first = await look()
  expect(first.said).toEqual(['Shown in en. The others: --language ar.'])
  expect(first.html).toMatch(/<html lang="en".*We are live/s)
  const arabic = await look('ar')
  expect(arabic.said).toEqual([])
  expect(arabic.html).toMatch(/<html lang="ar" dir="rtl".*نحن هنا/s)
  // There is no letter in German: its reader gets the first, with a foot in German.
  expect((await look('de')).html).toMatch(/<html lang="en".*We are live.*Abmelden/s)
  await expect(look('fr')).rejects.toThrow(
    '--language: the page is in en, ar, de, and not in "fr".',
  )
})
