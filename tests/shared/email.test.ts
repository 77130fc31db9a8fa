import { describe, expect, it } from 'vitest'
import { parseEmail } from '../../src/shared/email.ts'
import { emailCases } from './email-cases.ts'

describe('the e-mail rule', () => {
  it.each(emailCases)('$why', ({ input, email }) => {
    expect(parseEmail(input)).toBe(email)
  })

  it.each(emailCases.filter(({ email }) => email))('leaves as it is what it made: $why', (one) => {
    expect(parseEmail(one.email ?? '')).toBe(one.email)
  })
})
