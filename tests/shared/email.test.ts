import { describe, expect, it } from 'vitest'
import { normaliseEmail, parseEmail } from '../../src/shared/email.ts'
import { plainEmail } from '../../src/shared/plain-email.ts'
import { emailCases, seenByTheWholeRule } from './email-cases.ts'

describe('the e-mail rule', () => {
  it.each(emailCases)('$why', ({ input, email }) => {
    expect(parseEmail(input)).toBe(email)
  })

  it.each(emailCases.filter(({ email }) => email))('leaves as it is what it made: $why', (one) => {
    expect(parseEmail(one.email ?? '')).toBe(one.email)
  })

  it('gives a plain address without the whole rule, and no other one', () => {
    const plain = emailCases.filter(({ input }) => plainEmail(input) !== undefined)
    expect(plain.length).toBeGreaterThan(20)
    for (const { input, email, why } of plain) expect(plainEmail(input), why).toBe(email)
  })

  it('takes no record as it is that only the whole rule sees', () => {
    for (const input of seenByTheWholeRule) expect(parseEmail(input), input).not.toBe(input)
  })

  it('takes nothing off where an address is to be exact, such as that of a sender', () => {
    expect(normaliseEmail(' Ada@Müller.de ')).toBe('ada@xn--mller-kva.de')
    for (const around of ['<ada@example.com>', 'ada@example.com.', 'Ada <ada@example.com>'])
      expect(normaliseEmail(around), around).toBeUndefined()
  })
})
