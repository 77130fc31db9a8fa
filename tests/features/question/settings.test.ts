import { expect, it } from 'vitest'
import product from '../../../product.config.ts'
import {
  findQuestionMistakes,
  findTranslatedQuestionMistakes,
} from '../../../src/features/question/rules.ts'
import { findLanguagesMistakes } from '../../../src/product/language-mistakes.ts'

const choice = {
  ask: 'What do you bake?',
  kind: 'choice',
  choices: ['Bread', 'Cake'],
} as const
const german = { ...choice, ask: 'Was backst du?', choices: ['Brot', 'Kuchen'] } as const

it('takes a question of each kind', () => {
  for (const question of [
    choice,
    { ask: 'Why?', kind: 'text' },
    { ask: 'إلى أين نوصّل؟', kind: 'postcode' },
  ])
    expect(findQuestionMistakes(question)).toEqual([])
})

it('says of a wrong one what would be right, in one line', () => {
  const wrong = [
    'Where?',
    null,
    [],
    { ask: 'Where?' },
    { ask: 'Where?', kind: 'number' },
    { ...choice, more: 1 },
    { ...choice, ask: '' },
    { ...choice, ask: 'x'.repeat(91) },
    { ...choice, ask: 'two\nlines' },
    { ...choice, choices: ['One'] },
    { ...choice, choices: 'Bread' },
    { ...choice, choices: ['Bread', 'Bread'] },
    { ...choice, choices: ['Bread', 5] },
    { ...choice, choices: Array.from({ length: 9 }, (_, i) => `Choice ${i}`) },
    { ask: 'Where?', kind: 'text', choices: ['Here'] },
  ]
  for (const question of wrong) {
    const mistakes = findQuestionMistakes(question)
    expect(mistakes, JSON.stringify(question)).toHaveLength(1)
    expect(mistakes[0]).not.toMatch(/\n|undefined|\[object/)
  }
  expect(findTranslatedQuestionMistakes(choice, german)).toEqual([])
  const inGerman = [
    [choice, undefined, 'is missing, and the first language has one'],
    [undefined, german, 'is here, and the first language has none'],
    [choice, { ...german, kind: 'text' }, "kind: must be 'choice', as in the first language"],
    [choice, { ...german, choices: ['Brot'] }, 'choices: has 1, the first language has 2'],
  ] as const
  for (const [first, here, mistake] of inGerman)
    expect(findTranslatedQuestionMistakes(first, here)).toEqual([mistake])
})

it('wants the question in each language or in none', () => {
  const question = { ask: 'What bread?', kind: 'choice', choices: ['Rye', 'Wheat'] }
  const other = { ask: 'Was für Brot?', kind: 'choice', choices: ['Roggen', 'Weizen'] }
  const german = { pitch: 'Brot an die Tür.', description: 'Brot an die Tür, jeden Samstag.' }
  const said = (first: unknown, here: unknown) =>
    findLanguagesMistakes({
      ...product,
      ...(first !== undefined && { question: first }),
      languages: { de: { ...german, ...(here !== undefined && { question: here }) } },
    })
  expect(said(question, other)).toEqual([])
  expect(said(question, undefined)).toEqual([
    'languages: de: question: is missing, and the first language has one',
  ])
  expect(said(undefined, other)).toEqual([
    'languages: de: question: is here, and the first language has none',
  ])
  expect(said(question, { ...other, choices: ['Roggen', 'Weizen', 'Dinkel'] })).toEqual([
    'languages: de: question: choices: has 3, the first language has 2',
  ])
})
