import { expect, it } from 'vitest'
import {
  findQuestionMistakes,
  findTranslatedQuestionMistakes,
  isAnswer,
  type Question,
  readAnswer,
} from '../../src/shared/question.ts'

const choice = {
  ask: 'What do you bake?',
  kind: 'choice',
  choices: ['Bread', 'Cake'],
} as const satisfies Question
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

it('keeps a choice as the first language has it, so that it counts as one in all', () => {
  expect(readAnswer('Kuchen', german, choice)).toBe('Cake')
  expect(readAnswer('Cake', choice, choice)).toBe('Cake')
  for (const said of ['Cake', 'kuchen ', 'Pizza', '', undefined, 5])
    expect(readAnswer(said, german, choice)).toBeUndefined()
})

it('keeps a text as one plain line of at most 200 characters', () => {
  const text = { ask: 'Why?', kind: 'text' } as const
  expect(readAnswer('  a\n b\u202e\u0007 ', text, text)).toBe('a b')
  expect(readAnswer('<b>=1+1</b>', text, text)).toBe('<b>=1+1</b>')
  expect(readAnswer('x'.repeat(200), text, text)).toBe('x'.repeat(200))
  expect(readAnswer('x'.repeat(201), text, text)).toBeUndefined()
  expect(readAnswer(' \u200b ', text, text)).toBeUndefined()
})

it('keeps a postcode in capitals, of any country', () => {
  const postcode = { ask: 'Where?', kind: 'postcode' } as const
  const kept = (said: string) => readAnswer(said, postcode, postcode)
  expect(kept(' sw1a  1aa')).toBe('SW1A 1AA')
  for (const code of ['80331', '1010 AB', '150-0001', '１５０'])
    expect(kept(code)).toBe(code.normalize('NFKC'))
  for (const none of ['', '8', '-80', '80331; DROP', 'x'.repeat(13), '=80331'])
    expect(kept(none)).toBeUndefined()
})

it('finds a postcode by its beginning, and all else by the whole answer', () => {
  expect(isAnswer('80331', '80', 'postcode')).toBe(true)
  expect(isAnswer('SW1A 1AA', 'sw1a', 'postcode')).toBe(true)
  expect(isAnswer('18033', '80', 'postcode')).toBe(false)
  expect(isAnswer('Bread', 'bread', 'choice')).toBe(true)
  expect(isAnswer('Bread', 'Bre', 'choice')).toBe(false)
})
