import { expect, it } from 'vitest'
import { fieldsOf } from '../../../../src/desk/server/fields.ts'
import {
  isStage,
  readSending,
  selectionOf,
  usualSettings,
} from '../../../../src/desk/server/letters/sending-settings.ts'
import { letterStages } from '../../../../src/shared/letter-stages.ts'

const read = (fields: Record<string, string | string[]>) => readSending(fieldsOf(fields))

it('a letter is sent as usual where nothing is said', () => {
  const { settings, mistakes, rate } = read({})
  expect([settings, mistakes, rate]).toEqual([usualSettings, [], { letters: 10, ms: 1000 }])
})

it('a letter is sent as was typed, whatever stands around it', () => {
  const typed = {
    rate: ' 7 ',
    dkimSelector: ' k1._a-b ',
    dnsServer: ' 127.0.0.1 ',
    alsoWhoGot: ['soon', '--force', 'NOPE', 'new'],
  }
  expect(read(typed)).toMatchObject({
    settings: {
      rate: '7',
      dkimSelector: 'k1._a-b',
      dnsServer: '127.0.0.1',
      alsoWhoGot: ['soon'],
    },
    mistakes: [],
    rate: { letters: 7, ms: 1000 },
  })
})

it('what cannot be is said by its name in the form, all of it at once', () => {
  const { mistakes } = read({
    rate: 'fast',
    dkimSelector: '-x',
    dnsServer: '--force',
  })
  expect(mistakes.map((mistake) => mistake.split(':')[0])).toEqual([
    'Rate',
    'DNS server',
    'DKIM selector',
  ])
  for (const dkimSelector of ['_x', '.x', 'a b', 'ä', 'x'.repeat(64), 'a\nb'])
    expect(read({ dkimSelector }).mistakes, dkimSelector).toEqual([
      'DKIM selector: must be letters, digits, hyphens, dots and underscores.',
    ])
  expect(read({ dkimSelector: 'x'.repeat(63) }).mistakes).toEqual([])
})

it('a stage reaches the people that the command reaches with its options', () => {
  const stages = ['one-per-cent', 'everyone', 'newcomers', 'failed', 'uncertain'] as const
  expect(stages.map((stage) => letterStages[stage].options)).toEqual([
    ['--first=1%'],
    [],
    ['--include-new'],
    ['--retry=failed'],
    ['--retry=uncertain'],
  ])
  const id = 'launch'
  expect(stages.map((stage) => selectionOf(id, stage, []))).toEqual([
    { id, first: expect.anything() },
    { id },
    { id, includeNew: true },
    { id, retry: 'failed' },
    { id, retry: 'uncertain' },
  ])
  expect(selectionOf(id, 'everyone', ['soon'])).toEqual({ id, alsoWhoGot: ['soon'] })
  for (const stage of stages) expect(isStage(stage)).toBe(true)
  for (const other of ['', 'all', '__proto__', 'toString', undefined, 7])
    expect(isStage(other)).toBe(false)
})
