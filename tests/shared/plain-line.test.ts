import { describe, expect, it } from 'vitest'
import { plainLine, shortened } from '../../src/shared/plain-line.ts'

describe('what somebody else said, as a plain line', () => {
  it('is one line', () => {
    expect(plainLine(' 250-a\r\n250\tb\u2028c\u0085d ')).toBe('250-a 250 b c' + 'd')
  })

  it('has nothing that a terminal obeys or nobody sees', () => {
    const unseen = '\x00\x07\x1b\x7f\x80\x9b\x9d\u061c\u200b\u200f\u202e\u2066\ufeff\u{e0041}\ue000'
    expect(plainLine(`a${unseen}b`)).toBe('ab')
    expect(plainLine('\x1b]52;c;aGk=\x07hi')).toBe(']52;c;aGk=hi')
  })

  it('keeps the letters of all languages', () => {
    expect(plainLine('Ж é 漢 🦊')).toBe('Ж é 漢 🦊')
  })

  it('is short, however long the text is, and never ends in half a character', () => {
    expect(plainLine('🦊'.repeat(1e6), 5)).toBe('🦊🦊')
    expect(plainLine(' '.repeat(1e6))).toBe('')
  })
})

it('a text is cut by its characters, and only one that is too long has a mark of that', () => {
  expect(shortened('🥖'.repeat(3), 3)).toBe('🥖🥖🥖')
  expect(shortened('🥖'.repeat(4), 3)).toBe('🥖🥖…')
})
