import { expect, it } from 'vitest'
import { type Ask, isReply, replyTo } from '../../src/shared/reply.ts'

const choice = {
  ask: 'What do you bake?',
  kind: 'choice',
  choices: ['Bread', 'Cake'],
} as const satisfies Ask
const german = { ...choice, ask: 'Was backst du?', choices: ['Brot', 'Kuchen'] } as const

it('keeps a choice as the first language has it, so that it counts as one in all', () => {
  expect(replyTo('Kuchen', german, choice)).toBe('Cake')
  expect(replyTo('Cake', choice, choice)).toBe('Cake')
  for (const said of ['Cake', 'kuchen ', 'Pizza', '', undefined, 5])
    expect(replyTo(said, german, choice)).toBeUndefined()
})

it('keeps a text as one plain line of at most 200 characters', () => {
  const text = { ask: 'Why?', kind: 'text' } as const
  expect(replyTo('  a\n b\u202e\u0007 ', text, text)).toBe('a b')
  expect(replyTo('<b>=1+1</b>', text, text)).toBe('<b>=1+1</b>')
  expect(replyTo('x'.repeat(200), text, text)).toBe('x'.repeat(200))
  expect(replyTo('x'.repeat(201), text, text)).toBeUndefined()
  expect(replyTo(' \u200b ', text, text)).toBeUndefined()
})

it('keeps a postcode in capitals, of any country', () => {
  const postcode = { ask: 'Where?', kind: 'postcode' } as const
  const kept = (said: string) => replyTo(said, postcode, postcode)
  expect(kept(' sw1a  1aa')).toBe('SW1A 1AA')
  for (const code of ['80331', '1010 AB', '150-0001', '１５０'])
    expect(kept(code)).toBe(code.normalize('NFKC'))
  for (const none of ['', '8', '-80', '80331; DROP', 'x'.repeat(13), '=80331'])
    expect(kept(none)).toBeUndefined()
})

it('finds a postcode by its beginning, and all else by the whole reply', () => {
  expect(isReply('80331', '80', 'postcode')).toBe(true)
  expect(isReply('SW1A 1AA', 'sw1a', 'postcode')).toBe(true)
  expect(isReply('18033', '80', 'postcode')).toBe(false)
  expect(isReply('Bread', 'bread', 'choice')).toBe(true)
  expect(isReply('Bread', 'Bre', 'choice')).toBe(false)
})
