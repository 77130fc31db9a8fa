import { describe, expect, it } from 'vitest'
import ours from '../../product.config.ts'
import type { Product } from '../../src/shared/product.ts'
import { fill, slotsIn } from '../../src/shared/sentence-slots.ts'
import { sentences, type Words } from '../../src/shared/sentences.ts'
import {
  catalogueOf,
  languages,
  nameOf,
  rootAttributes,
  scriptOf,
} from '../../src/words/catalogue.ts'
import { en } from '../../src/words/en.ts'
import { findSentenceMistakes, findWordMistakes } from '../../src/words/mistakes.ts'
import { pageWordsOf } from '../../src/words/page-words.ts'
import { fromWordList, toWordList } from '../../src/words/word-list.ts'

/** A product in the one language that it has. */
const alone = (product: Product) => ({ product, others: {} })

const names = Object.keys(sentences) as (keyof Words)[]

describe.each(Object.entries(languages))('the catalogue of %s', (language, words) => {
  it('has every sentence, each as long as it may be and with its slots', () => {
    expect(Object.keys(words).toSorted()).toEqual(names.toSorted())
    expect(
      Object.entries(words).flatMap(([name, text]) => findSentenceMistakes(name, text)),
    ).toEqual([])
  })

  it('names the product wherever the English does, in its letters', () => {
    for (const name of names)
      expect(slotsIn(words[name]).includes('name')).toBe(slotsIn(en[name]).includes('name'))
    expect(findWordMistakes({ language })).toEqual([])
  })
})

it('says on the page, in English, word for word what the specification says', () => {
  const { outcomes, ...page } = pageWordsOf(alone(ours), {})
  expect(page).toMatchObject({
    heading: 'Coming Soon',
    offer: 'Be the first to know when we go live',
    submit: 'Notify Me',
    submitting: 'Submitting...',
  })
  expect(outcomes).toEqual({
    subscribed: "Thank you! We'll be in touch.",
    'invalid-email': 'Please enter a valid email address.',
    'database-unavailable': 'Database not connected. Please try again later.',
    failed: 'Could not subscribe at this time. Please try again later.',
  })
  expect(fill(en.title, { name: 'Kestrel' })).toBe('Kestrel — Coming Soon')
})

it('gives the page what it can come to say, and nothing else', () => {
  const opensAt = { at: '2027-01-12T09:00', zone: 'Europe/Berlin' }
  expect(pageWordsOf(alone(ours), {})).not.toHaveProperty('countdown')
  expect(pageWordsOf(alone({ ...ours, opensAt }), {}).countdown?.units).toEqual([
    'd',
    'h',
    'm',
    's',
  ])
  expect(pageWordsOf(alone(ours), { isStatic: true })).toHaveProperty('needsScript')
  expect(pageWordsOf(alone(ours), {})).not.toHaveProperty('needsScript')
  expect(pageWordsOf(alone(ours), { confirm: true })).toHaveProperty('letterSent')
  expect(pageWordsOf(alone(ours), {})).not.toHaveProperty('letterSent')
  const question = { ask: 'What bread?', kind: 'choice', choices: ['Rye', 'Wheat'] } as const
  const asking = alone({ ...ours, question })
  expect(pageWordsOf(asking, {})).not.toHaveProperty('ask')
  expect(pageWordsOf(asking, { isAsking: true }).ask).toEqual({
    ...question,
    button: en.answerButton,
  })
  expect(pageWordsOf(alone(ours), { isAsking: true }).ask).toBeUndefined()
  expect(pageWordsOf(alone(ours), {})).not.toHaveProperty('share')
  expect(pageWordsOf(alone(ours), { share: true }).share).toEqual([
    en.passOn,
    en.byEmail,
    en.copyLink,
    en.linkCopied,
  ])
})

it('puts a founder’s own words instead of a language’s, and their name where they want it', () => {
  const words = { heading: 'Bald ist es so weit', openButton: 'Brot bestellen' }
  const product: Product = { ...ours, name: '$& {pitch}', language: 'de', words }
  const page = pageWordsOf(alone(product), {})
  expect(page).toMatchObject({ ...words, label: 'E-Mail-Adresse' })
  expect(page.openTitle).toBe('$& {pitch} — Jetzt geöffnet')
})

it.each([
  [undefined, 'lang="en"'],
  ['pt-BR', 'lang="pt-BR"'],
  ['ar', 'lang="ar" dir="rtl"'],
  ['fa', 'lang="fa" dir="rtl"'],
])('writes into the root of a document that it is in %s', (language, attributes) => {
  expect(rootAttributes(catalogueOf({ ...(language && { language }) }))).toBe(attributes)
})

it.each([
  ['he', 'rtl', false],
  ['dv', 'rtl', false],
  ['nqo', 'rtl', false],
  ['de', 'ltr', true],
  ['uk', 'ltr', true],
  ['ja', 'ltr', false],
] as const)(
  'writes %s %s, and in our typeface where that has its letters',
  (language, dir, isInTypeface) => {
    expect(catalogueOf({ language })).toMatchObject({ dir, isInTypeface })
  },
)

it('writes dates as the language does, with the figures of our codes', () => {
  const locale = (language?: string) => catalogueOf({ ...(language && { language }) }).locale
  expect([locale(), locale('en'), locale('ar')]).toEqual(['en-GB', 'en-GB', 'ar-u-nu-latn'])
  expect(new Intl.NumberFormat(locale('ar')).format(12)).toBe('12')
})

it('calls a language what it calls itself, with a capital', () => {
  expect(['fr', 'de', 'nl', 'ja'].map(nameOf)).toEqual([
    'Français',
    'Deutsch',
    'Nederlands',
    '日本語',
  ])
})

it('takes a language for Latin of which no letters are known', () => {
  expect(scriptOf('qaa')).toBe('Latn')
})

it.each<[string, Record<string, unknown>, string]>([
  [
    'a language that is not there',
    { language: 'nl' },
    `language: there is no "nl": there are en, de, fr, es, pt-BR, it, ja, ar. For another language, write all words yourself: ${names.length} are missing, such as title, heading, offer`,
  ],
  ...['German', 'pt_BR', 7, 'de-u-ca-roc', '__proto__'].map(
    (language): [string, Record<string, unknown>, string] => [
      `a language called ${language}`,
      { language },
      `language: is "${language}", must be one of en, de, fr, es, pt-BR, it, ja, ar, or a name in BCP 47, such as nl`,
    ],
  ),
  ...[null, [], 'Hi', 7].map((words): [string, Record<string, unknown>, string] => [
    `words that are ${JSON.stringify(words)}`,
    { words },
    "words: must be like { heading: 'Almost there', submit: 'Tell me' }",
  ]),
  [
    'a sentence of another world',
    { words: { constructor: 'Hi' } },
    'words: constructor: is not one of them: docs/languages.md',
  ],
  [
    'a button that is too long',
    { words: { submit: 'N'.repeat(25) } },
    'words: submit: has 25 characters, 24 fit',
  ],
  ['a heading of nothing', { words: { heading: ' ' } }, 'words: heading: is missing'],
  [
    'two lines',
    { words: { heading: 'Coming\nSoon' } },
    'words: heading: must be one line of plain text',
  ],
  [
    'a code that is left out',
    { words: { letterCode: 'There is a code.' } },
    'words: letterCode: lacks its {code}',
  ],
  [
    'a slot of another sentence',
    { words: { heading: 'Soon: {name}' } },
    'words: heading: has a {name}, which it cannot fill',
  ],
  [
    'half a slot',
    { words: { openButton: 'Open {name' } },
    'words: openButton: has a brace that is no slot',
  ],
])('says in one sentence what is wrong, and what would be right: %s', (_, wrong, sentence) => {
  expect(findWordMistakes({ ...ours, ...wrong })).toEqual([sentence])
})

it('takes a language that is not there, where all of its words are given', () => {
  expect(findWordMistakes({ language: 'nl', words: en })).toEqual([])
  expect(catalogueOf({ language: 'nl', words: { ...en, heading: 'Binnenkort' } })).toMatchObject({
    language: 'nl',
    words: { heading: 'Binnenkort' },
  })
})

it('leads to the other languages, after the links of the product', () => {
  const others = { de: 'Deutsch', 'pt-BR': 'Português (Brasil)' }
  const links = { Imprint: '/imprint' }
  expect(pageWordsOf({ product: { ...ours, links }, others }, {})).toMatchObject({
    links: { Imprint: '/imprint', Deutsch: '/de/', 'Português (Brasil)': '/pt-BR/' },
    language: 'en',
    languages: { '/de/': 'de', '/pt-BR/': 'pt-BR' },
  })
  expect(pageWordsOf({ product: ours, others }, {}).links).toEqual({
    Deutsch: '/de/',
    'Português (Brasil)': '/pt-BR/',
  })
  for (const field of ['links', 'language', 'languages'])
    expect(pageWordsOf(alone(ours), {})).not.toHaveProperty(field)
})

it('comes to the script as it was, with all that a page may say and with as little as it can', () => {
  const opensAt = { at: '2027-01-12T09:00', zone: 'Europe/Berlin' }
  const links = { Imprint: '/imprint' }
  for (const words of [
    pageWordsOf(alone(ours), {}),
    pageWordsOf(alone({ ...ours, links, opensAt }), { isStatic: true, confirm: true }),
    pageWordsOf(alone(ours), { confirm: true }),
  ]) {
    const list = toWordList(words)
    // What nothing turns stands in the page alone.
    const { name: _, logo: _logo, links: _links, ...turned } = words
    expect(fromWordList(list)).toEqual(turned)
    expect(list).not.toMatch(/null\]$/)
  }
})
