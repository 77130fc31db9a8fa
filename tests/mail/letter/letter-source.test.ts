import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseLetter } from '../../../src/mail/letter/letter.ts'
import {
  fieldsOf,
  type LetterFields,
  letterSource,
} from '../../../src/mail/letter/letter-source.ts'

const fields: LetterFields = {
  subject: 'Kestrel: it’s "open"',
  preview: '',
  from: 'Kestrel <hello@example.com>',
  'reply-to': '',
  text: 'Come in.\r\n\r\n--\r\nThe team',
}

describe('a letter that is written in fields', () => {
  it('is a file as an operator would write it', () => {
    expect(letterSource(fields)).toBe(
      '---\nsubject: Kestrel: it’s "open"\nfrom: Kestrel <hello@example.com>\n---\nCome in.\n\n--\nThe team\n',
    )
  })

  it('is read by the command as it was written, and comes back into the fields, whatever is in them', {
    tags: 'thorough',
  }, () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^["'>|#\\: a-z\n\r-]{0,12}$/),
    )
    const any = fc.record({
      subject: line,
      preview: line,
      text: fc.oneof(line, fc.constant('---\nsubject: another\n---')),
    })
    fc.assert(
      fc.property(any, ({ subject, preview, text }) => {
        const source = letterSource({ ...fields, subject, preview, text })
        const kept = fieldsOf(source)
        expect(kept).toBeDefined()
        // Written again it is the same, so nothing is lost by opening and saving it.
        expect(kept && letterSource(kept)).toBe(source)
        expect(kept?.subject).toBe(subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim())
        const read = parseLetter(source)
        if ('letter' in read) {
          expect(read.letter.subject).toBe(kept?.subject)
          expect(read.letter.preview).toBe(kept?.preview)
          expect(read.letter.markdown).toBe(kept?.text)
          expect(read.letter.from).toBe(fields.from)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('cannot smuggle a setting into another', () => {
    const source = letterSource({ ...fields, subject: 'Hello\nfrom: Evil <evil@example.net>' })
    expect(parseLetter(source)).toMatchObject({
      letter: { subject: 'Hello from: Evil <evil@example.net>', from: fields.from },
    })
  })

  it('reads alike with the line ends of any system', () => {
    const source = '---\nsubject: We are live\n---\nCome in.\n\nThe team\n'
    const read = fieldsOf(source)
    expect(read).toMatchObject({ subject: 'We are live', text: 'Come in.\n\nThe team' })
    for (const end of ['\r\n', '\r'])
      expect(fieldsOf(`\uFEFF${source.replaceAll('\n', end)}`)).toEqual(read)
  })

  it('is left to its writer where fields would lose something', () => {
    for (const source of [
      'no settings',
      '---\nsubject: a\ncolour: red\n---\nText',
      '---\n# For the lawyers.\nsubject: a\n---\nText',
      '---\nsubject: >\n  folded\n---\nText',
    ])
      expect(fieldsOf(source), source).toBeUndefined()
  })
})
