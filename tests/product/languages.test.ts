import { describe, expect, it } from 'vitest'
import { findLanguagesMistakes } from '../../src/product/language-mistakes.ts'
import { languagesOf } from '../../src/product/languages.ts'
import type { Product } from '../../src/shared/product.ts'
import { de } from '../../src/words/de.ts'
import { en } from '../../src/words/en.ts'
import { products } from '../fixtures/products.ts'

const english = {
  pitch: 'A fresh sourdough loaf at the door every Saturday.',
  description: 'Brotzeit brings a fresh sourdough loaf every Saturday.',
  links: { Imprint: '/en-imprint', Privacy: '/en-privacy' },
}
const bakery: Product = { ...products.brotzeit, languages: { en: english } }

describe('the languages of a product', () => {
  it('are one, at no path of its own, where it says nothing of others', () => {
    const { languages: _, ...alone } = bakery
    for (const product of [alone, { ...alone, languages: {} }])
      expect(languagesOf(product)).toEqual([
        { code: 'de', path: '', product: alone, words: { ...de, ...alone.words }, others: {} },
      ])
  })

  it('have a path each, and the first is the product’s own', () => {
    expect(languagesOf(bakery).map(({ code, path }) => [code, path])).toEqual([
      ['de', '/de'],
      ['en', '/en'],
    ])
    expect(languagesOf(bakery).map(({ others }) => others)).toEqual([
      { en: 'English' },
      { de: 'Deutsch' },
    ])
    const languages = { fr: english, 'pt-BR': english, ja: english }
    expect(languagesOf({ ...bakery, languages })[0].others).toEqual({
      fr: 'Français',
      'pt-BR': 'Português (Brasil)',
      ja: '日本語',
    })
  })

  it('say in each what is said in that one, and never a word of another', () => {
    const [german, inEnglish] = languagesOf(bakery)
    expect(german.words.heading).toBe('Bald ist es so weit')
    expect(inEnglish?.words).toEqual(en)
    expect(inEnglish?.product).toEqual({
      ...products.brotzeit,
      ...english,
      language: 'en',
      words: undefined,
    })
    const own = { ...english, name: 'Bread Time', words: { submit: 'Tell me' } }
    const [, other] = languagesOf({ ...bakery, languages: { en: own } })
    expect(other?.words).toEqual({ ...en, submit: 'Tell me' })
    expect(other?.product.name).toBe('Bread Time')
  })
})

it('has nothing to say about languages that are whole', () => {
  const whole = { de: english, 'pt-BR': english, ja: { ...english, name: 'パン' }, nl: undefined }
  const { nl: _, ...others } = whole
  expect(findLanguagesMistakes({ ...bakery, language: 'fr', languages: others })).toEqual([])
  expect(findLanguagesMistakes({ ...bakery, languages: undefined })).toEqual([])
  const nl = { ...english, words: en }
  expect(findLanguagesMistakes({ ...bakery, languages: { nl } })).toEqual([])
})

it('lets a name in Latin letters stand everywhere, and any other where it can be read', () => {
  const missing = (name: string, language: string, code: string) =>
    findLanguagesMistakes({ ...bakery, name, language, languages: { [code]: english } })
  expect(missing('Brotzeit', 'de', 'ar')).toEqual([])
  expect(missing('1847', 'ar', 'fr')).toEqual([])
  expect(missing('Полярис', 'uk', 'fr')).toEqual([
    'languages: fr: name: is missing, and "Полярис" is in another alphabet',
  ])
  expect(missing('ورّاق', 'ar', 'fr')).toHaveLength(1)
  expect(missing('ورّاق', 'not a language', 'fr')).toHaveLength(1)
})

it('lets a name stand in the letters of the first language, which is English where none is said', () => {
  const { language: _, ...unsaid } = bakery
  expect(findLanguagesMistakes({ ...unsaid, name: 'Полярис', languages: { fr: english } })).toEqual(
    [],
  )
})

it.each<[string, unknown, string]>([
  ...[null, [], 'en', 7].map((languages): [string, unknown, string] => [
    `languages that are ${JSON.stringify(languages)}`,
    languages,
    "languages: must be like { de: { pitch: '…', description: '…' } }",
  ]),
  [
    'the first language again',
    { de: english },
    'languages: de: is the first language already, so leave it out here',
  ],
  [
    'a language without a pitch',
    { en: { ...english, pitch: undefined } },
    'languages: en: pitch: is missing',
  ],
  [
    'a language that lacks a link at the foot',
    { en: { ...english, links: { Imprint: '/imprint' } } },
    'languages: en: links: has 1, the first language has 2',
  ],
  [
    'a link to nowhere',
    { en: { ...english, links: { Imprint: 'imprint', Privacy: '/p' } } },
    'languages: en: links: "Imprint": must lead to an https:// address or a path like /privacy',
  ],
  [
    'a pitch that is too long',
    { en: { ...english, pitch: 'p'.repeat(161) } },
    'languages: en: pitch: has 161 characters, 160 fit',
  ],
  [
    'a setting that is the same in each language',
    { en: { ...english, logo: 'brand/en.svg' } },
    expect.stringMatching(
      /^languages: en: logo: is not translated; pitch, description, name, emailPlaceholder, .* are$/,
    ),
  ],
  [
    'a picture elsewhere',
    { en: { ...english, socialImage: 'en.png' } },
    'languages: en: socialImage: must be a .png file in the folder brand',
  ],
  [
    'a sentence that is too long',
    { en: { ...english, words: { submit: 'N'.repeat(25) } } },
    'languages: en: words: submit: has 25 characters, 24 fit',
  ],
  [
    'a language that is not there',
    { nl: english },
    expect.stringMatching(/^languages: nl: there is no "nl": there are en, de, .*such as title/),
  ],
  [
    'a language that is none',
    { English: english },
    expect.stringMatching(/^languages: English: is "English", must be one of en, de, /),
  ],
  [
    'a language whose path could be another’s',
    { assets: { ...english, words: en } },
    'languages: assets: must begin with two or three letters, such as nl',
  ],
])('says in one sentence what is wrong, and what would be right: %s', (_, languages, sentence) => {
  expect(findLanguagesMistakes({ ...bakery, languages })).toEqual([sentence])
})
