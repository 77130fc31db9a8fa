import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import product from '../../product.config.ts'
import type { Refusal } from '../../src/announcement/refusal.ts'
import { checkLetters } from '../../src/announcement/run/findings.ts'
import { readLetterFile } from '../../src/announcement/run/letter-file.ts'
import { lettersDigest } from '../../src/announcement/run/translations.ts'
import { letterDigest } from '../../src/mail/letter/letter.ts'
import type { ProductLanguages } from '../../src/shared/product.ts'
import type { Refused } from '../../src/shared/refused.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const root = join(import.meta.dirname, '../..')
const one: ProductLanguages = [{ code: 'en', path: '', product }]
const several: ProductLanguages = [
  { code: 'en', path: '/en', product },
  { code: 'de', path: '/de', product: { ...product, language: 'de' } },
  { code: 'pt-BR', path: '/pt-BR', product: { ...product, language: 'pt-BR' } },
]
const source = (subject: string, more = '', text = 'Hello') =>
  `---\nsubject: ${subject}\nfrom: team@example.com\n${more}---\n${text}\n`

/** A folder with these files. @returns reads `launch.md` of it. */
function folderOf(files: Readonly<Record<string, string>>) {
  const folder = tempDir()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return {
    folder,
    read: (languages = several) => readLetterFile(join(folder, 'launch.md'), '', languages, root),
  }
}

const refusalOf = async (reading: Promise<unknown>) => {
  const refused = await reading.then(
    () => undefined,
    (error: Refused<Refusal>) => error.why,
  )
  return refused?.code === 'letter-mistakes' ? refused.mistakes : refused
}

const english = source('We are live')
const german = source('Es geht los')

describe('a letter in several languages', () => {
  it('is one announcement, of the files beside the first', async () => {
    const { read, folder } = folderOf({
      'launch.md': english,
      'launch.de.md': german,
      'launch.pt-br.md': source('Chegou'),
      'launch.txt': 'not Markdown',
      'launch.de.txt': 'nor this',
      'launch-2.de.md': 'of another',
      'launch.note-of-mine.md': 'no language',
    })
    mkdirSync(join(folder, 'launch.d'))
    const { id, letter, translations } = await read()
    expect({ id, subject: letter.subject }).toEqual({ id: 'launch', subject: 'We are live' })
    expect(translations.map(({ code, letter }) => [code, letter.subject])).toEqual([
      ['de', 'Es geht los'],
      ['pt-BR', 'Chegou'],
    ])
  })

  it('has one language where the product has, whatever lies beside it', async () => {
    const { read } = folderOf({ 'launch.md': english, 'launch.old.md': 'no letter' })
    expect((await read(one)).translations).toEqual([])
  })

  it.for([
    ['launch.fr.md', german, '"fr" is no language of product.config.ts, which has en, de, pt-BR'],
    ['launch.en.md', german, 'is in the first language, as launch.md is: remove one of them'],
    ['launch.de.md', 'Es geht los', 'must begin with its settings'],
    [
      'launch.de.md',
      source('Es', '', '{{invitation}}'),
      'must have {{invitation}} for as many days as in launch.md',
    ],
    [
      'launch.de.md',
      german.replace('example.com', 'example.org'),
      'must be at the domain of the sender in',
    ],
  ] as const)('is refused with a line that says why: %s', async ([name, text, why]) => {
    const { read } = folderOf({ 'launch.md': english, [name]: text })
    expect(await refusalOf(read())).toEqual([expect.stringContaining(why)])
  })

  it('is refused where one language is there twice', async () => {
    const { read } = folderOf({
      'launch.md': english,
      'launch.pt-BR.md': german,
      'launch.pt_br.md': german,
    })
    expect(await refusalOf(read())).toEqual(['there is a second one in "pt-BR"'])
  })

  it('is what it always was without a translation, and another with each change of one', async () => {
    const files = { 'launch.md': english, 'launch.de.md': german }
    const { read, folder } = folderOf(files)
    const write = (text: string) => writeFileSync(join(folder, 'launch.de.md'), text)
    const digest = async () => lettersDigest(await read())
    const both = await digest()
    expect(await digest()).toBe(both)
    write(source('Es ist so weit'))
    const changed = await digest()
    write(german)
    expect(await digest()).toBe(both)
    rmSync(join(folder, 'launch.de.md'))
    const alone = await read()
    expect(lettersDigest(alone)).toBe(letterDigest(alone.letter))
    expect(new Set([both, changed, lettersDigest(alone)]).size).toBe(3)
  })

  it('is looked through in each of them', async () => {
    const { read } = folderOf({
      'launch.md': english,
      'launch.de.md': source('Es geht los', '', '[Hier](/los)'),
    })
    const found = await checkLetters(await read(), { product, languages: several })
    expect(found.filter(({ code }) => code === 'letter-link')).toEqual([
      { code: 'letter-link', verdict: 'problem', about: '/los', language: 'de' },
    ])
    const ofTheProduct = found.filter(({ code }) => code === 'letter-no-postal-address')
    expect(ofTheProduct).toHaveLength(product.postalAddress ? 0 : 1)
  })
})
