import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import ours from '../../product.config.ts'
import { confirmationKeys } from '../../src/keys/confirmation-keys.ts'
import type { Pending } from '../../src/people/pending.ts'
import { receiptOf } from '../../src/people/press-button.ts'
import type { Product } from '../../src/shared/product.ts'
import { confirmationLetter } from '../../src/sign-up/confirmation-letter.ts'
import { ids, linkKey } from '../fixtures/keys.ts'

const product: Product = {
  ...ours,
  name: 'Kestrel & Sons',
  accent: '#2ee6a0',
  postalAddress: '1 Main St, Springfield',
}
const email = 'ada@example.com'
const pending: Pending = {
  email,
  askedAt: new Date('2026-03-01T09:05:00Z'),
  letters: 1,
  lastLetterAt: new Date('2026-03-01T09:06:00Z'),
  shown: { words: 'Notify Me', page: 'a1', language: 'en' },
}
const options = { from: 'Kestrel <hello@mail.example.com>', linkKey }
const confirmUrl = 'https://example.com/confirm'
const letterOf = (of = product, one = pending) =>
  confirmationLetter({ ...options, product: of, confirmUrl })(ids.of(email), one)
const keys = confirmationKeys(linkKey)
const code = keys.code(ids.of(email), pending.askedAt)
const link = `${confirmUrl}/${keys.sign(ids.of(email), pending.askedAt)}`

describe('the letter that asks', () => {
  it('says who asks, what was asked and when, how to answer, until when, and what happens otherwise', () => {
    expect(letterOf().text).toBe(`Kestrel & Sons

Was this you?

On 1 March 2026 at 09:05 UTC this email address was left on example.com, to be told when Kestrel & Sons goes live.

To confirm it, or to say that it was not you, open this page:
${link}

If the page asks for a code, it is ${code.slice(0, 3)} ${code.slice(3)}.

You can answer until 15 March 2026. If you do not, nothing happens: you will not be told, and the address is erased.

-- 
Sent for Kestrel & Sons, because this address was left on example.com.
1 Main St, Springfield`)
  })

  it('says in HTML what it says in text, with a button', () => {
    const { html, text } = letterOf()
    const said = html
      .replace(/<(style|title)>.*?<\/\1>/gs, '')
      .replace(/<br>|<\/p>/g, '\n')
      .replace(/<[^>]*>/g, '')
      .replaceAll('&#38;', '&')
      .replaceAll('&nbsp;', ' ')
    for (const line of text.split('\n').filter((one) => !/^(To confirm|https:|-- |$)/.test(one)))
      expect(said).toContain(line)
    expect(said).toContain('Confirm my address')
    expect(html.match(/href="([^"]*)"/g)).toEqual([`href="${link}"`])
    expect(html).not.toMatch(/<img|<script|url\(/)
  })

  it('has a button that can be read on paper and on dark paper', () => {
    const { html } = letterOf()
    const [, light = '', ink = ''] = /background:(#\w{6});color:(#\w{6})/.exec(html) ?? []
    expect(light).not.toBe('#2ee6a0')
    expect(ink).toBe('#ffffff')
    expect(html).toContain('.button { background: #2ee6a0 !important; color: #08090b !important; }')
  })

  it('is the same letter for the same asking, and another for the next', () => {
    const [one, again] = [letterOf(), letterOf()]
    expect(again).toEqual(one)
    const next = letterOf(product, { ...pending, letters: 2 })
    expect(next.messageId).not.toBe(one.messageId)
    expect(next.text).toBe(one.text)
    const { subject, text, html } = one
    expect(one.digest).toBe(
      createHash('sha256').update(`${subject}\n${text}\n${html}`).digest('base64url'),
    )
    expect(one.messageId).toMatch(/^<[\w-]{20,}@mail\.example\.com>$/)
    expect(one).toMatchObject({
      to: email,
      from: options.from,
      replyTo: undefined,
      pictures: [],
      headers: { 'Auto-Submitted': 'auto-generated' },
      subject: 'Please confirm your email address for Kestrel & Sons',
    })
  })

  it('has no line for a postal address that nobody gave', () => {
    const { postalAddress: _, ...without } = product
    const { text, html } = letterOf(without)
    expect(text).toMatch(/left on example\.com\.$/)
    expect(html).not.toContain('Springfield')
    expect(html).not.toContain('<br>')
  })
})

describe('the letter in another language', () => {
  it('is in German, at the time that a clock there shows', () => {
    const { subject, text, html } = letterOf({ ...product, language: 'de', zone: 'Europe/Berlin' })
    expect(subject).toBe('Bitte die E-Mail-Adresse für Kestrel & Sons bestätigen')
    expect(text).toContain('Am 1. März 2026 um 10:05 Uhr wurde diese E-Mail-Adresse')
    expect(html).toMatch(/^<!doctype html>\n<html lang="de">/)
    expect(letterOf({ ...product, language: 'de' }).text).toContain('um 09:05 Uhr UTC')
  })

  it('is in the language of the page on which it was asked for, and leads to a page in it', () => {
    const languages = [
      { code: 'en', path: '/en', product },
      { code: 'ar', path: '/ar', product: { ...product, language: 'ar', name: 'كتب' } },
    ] as const
    const all = { ...options, product, languages, confirmUrl }
    const letterIn = (language: string) => {
      const shown = { words: 'Notify Me', page: 'a1', language }
      const one = { ...pending, shown }
      return confirmationLetter(all)(ids.of(email), one)
    }
    const arabic = letterIn('ar')
    expect(arabic.subject).toContain('كتب')
    expect(arabic.html).toContain('<html lang="ar" dir="rtl">')
    expect(arabic.text).toContain('https://example.com/ar/confirm/')
    // What is not offered any more, and what nobody knows, is the first.
    for (const language of ['en', 'de', '']) {
      const { html, text } = letterIn(language)
      expect(html).toContain('<html lang="en">')
      expect(text).toContain('https://example.com/en/confirm/')
    }
    expect(letterIn('ar')).toEqual(arabic)
  })

  it('is read from the right in Arabic, its code from the left', () => {
    const { text, html } = letterOf({ ...product, language: 'ar' })
    expect(html).toContain('<html lang="ar" dir="rtl">')
    expect(html).toContain('<td class="paper" dir="rtl"')
    expect(html, 'letters that join').not.toContain('letter-spacing')
    expect(text).toContain(`\u2066${code.slice(0, 3)} ${code.slice(3)}\u2069`)
    expect(html).toContain(`<strong>${code.slice(0, 3)}&nbsp;${code.slice(3)}</strong>`)
    expect(text).toContain('1 مارس 2026')
  })
})

describe('a receipt', () => {
  it('has what was shown, when it was asked, the letter, and the answer', () => {
    const confirmedAt = new Date('2026-03-02T10:00:00Z')
    const done = { ...pending, messageId: '<m@x>', letterDigest: 'd', confirmedAt }
    expect(receiptOf({ ...done, how: 'code' })).toEqual({
      ...pending.shown,
      askedAt: '2026-03-01T09:05:00.000Z',
      messageId: '<m@x>',
      letterDigest: 'd',
      confirmedAt: '2026-03-02T10:00:00.000Z',
      how: 'code',
    })
  })

  it('is of nobody who did not confirm', () => {
    expect(() => receiptOf(pending)).toThrow('This is not confirmed.')
    expect(() => receiptOf({ ...pending, how: 'code' })).toThrow('This is not confirmed.')
    expect(() => receiptOf({ ...pending, confirmedAt: new Date() })).toThrow()
  })
})
