import { describe, expect, it } from 'vitest'
import product from '../../../product.config.ts'
import { letterDigest, parseLetter } from '../../../src/mail/letter/letter.ts'
import { messages } from '../../../src/mail/letter/message.ts'
import { renderLetter } from '../../../src/mail/letter/render.ts'
import { ids, linkKey } from '../../fixtures/keys.ts'

const source = (text: string, settings = '') =>
  `---\nsubject: Ready\nfrom: a@example.org\n${settings}---\n${text}\n`
const link = '[Come in](https://app.example.com/join?code={{invitation}}&from=letter)'

function letterOf(text: string, settings?: string) {
  const read = parseLetter(source(text, settings))
  if ('mistakes' in read) throw new Error(read.mistakes.join())
  return read.letter
}

/** As long as a JWT, and of its characters. */
const code = [90, 240, 86].map((length) => '-9aZ_'.repeat(length).slice(0, length)).join('.')

function made(text: string) {
  const rendered = renderLetter(letterOf(text), product, 'cid:logo')
  return { html: rendered.html('https://x/u', code), text: rendered.text('https://x/u', code) }
}

describe('a code in a letter', () => {
  it('stands in its link, whole, in HTML and in plain text', () => {
    const { html, text } = made(link)
    expect(html).toContain(`href="https://app.example.com/join?code=${code}&amp;from=letter"`)
    expect(text).toContain(`https://app.example.com/join?code=${code}&from=letter`)
  })

  it.each([
    'https://app.example.com/join?code={{invitation}}',
    '<https://app.example.com/join#code={{invitation}}>',
    '<a class="button" href="https://app.example.com/{{invitation}}">In</a>',
    'Your code: `{{invitation}}`',
    '**{{invitation}}**, {{invitation}}',
    '| a | b |\n|---|---|\n| {{invitation}} | c |',
    '# {{invitation}}',
  ])('is put into %j, and nothing else is left of it', (text) => {
    const { html, text: plain } = made(text)
    for (const part of [html, plain]) {
      expect(part).toContain(code)
      expect(part).not.toMatch(/invitation[^/]|\{\{|%7B/)
    }
  })

  it('is never left out of a message by mistake', () => {
    const make = messages({
      letter: letterOf(link),
      product,
      linkKey,
      logo: Buffer.from('png'),
      unsubscribeUrl: 'https://x/u',
      announcement: 'ready',
    })
    const ada = { addressId: ids.of('ada@example.com'), email: 'ada@example.com' }
    expect(() => make(ada)).toThrow('without its code')
    const { html, text } = make({ ...ada, code })
    for (const part of [html, text]) expect(part).toContain(`join?code=${code}`)
  })

  it('is valid for thirty days, or for what the letter says', () => {
    expect(letterOf(link).codeDays).toBe(30)
    expect(letterOf(link, 'invitation-valid: 1 day\n').codeDays).toBe(1)
    expect(letterOf(link, 'invitation-valid: 365 days\n').codeDays).toBe(365)
    expect(letterOf('Hello')).not.toHaveProperty('codeDays')
  })

  it.each([
    ['0 days', /^invitation-valid: must be from 1 day to 365 days, such as "30 days"$/],
    ['366 days', /must be from 1 day/],
    ['30', /must be from 1 day/],
    ['a month', /must be from 1 day/],
    ['-3 days', /must be from 1 day/],
    ['1e2 days', /must be from 1 day/],
  ])('is refused with an end of %j', (valid, mistake) => {
    expect(parseLetter(source(link, `invitation-valid: ${valid}\n`))).toEqual({
      mistakes: [expect.stringMatching(mistake)],
    })
  })

  it('is missed where only its end is there, and refused where it cannot stand', () => {
    const mistakesOf = (text: string) => {
      const read = parseLetter(text)
      return 'mistakes' in read ? read.mistakes : []
    }
    expect(mistakesOf(source('Hello', 'invitation-valid: 3 days\n'))).toEqual([
      'invitation-valid: there is no {{invitation}} in the text',
    ])
    expect(mistakesOf(source(link, 'preview: {{invitation}}\n'))).toEqual([
      '{{invitation}} cannot stand in the subject or the preview',
    ])
    expect(mistakesOf(source('{{ invitation }}'))).toEqual([
      '{{ invitation }} is not known; there are {{unsubscribe}}, {{invitation}} and {{first name|there}}',
    ])
  })

  it('changes what the letter is, if its end changes', () => {
    const digest = (text: string, settings?: string) => letterDigest(letterOf(text, settings))
    expect(digest(link, 'invitation-valid: 3 days\n')).not.toBe(digest(link))
    expect(digest(link, 'invitation-valid: 30 days\n')).toBe(digest(link))
  })
})
