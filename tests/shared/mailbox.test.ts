import { describe, expect, it } from 'vitest'
import { parseEmail } from '../../src/shared/email.ts'
import { mailboxOf } from '../../src/shared/mailbox.ts'

const one = (...emails: string[]) =>
  expect(new Set(emails.map((email) => mailboxOf(parseEmail(email) ?? '')))).toHaveLength(1)

const several = (...emails: string[]) =>
  expect(new Set(emails.map((email) => mailboxOf(parseEmail(email) ?? '')))).toHaveLength(
    emails.length,
  )

describe('the mailbox that an address leads to', () => {
  it('is one for all the tags that somebody puts behind a plus, at any provider', () => {
    one(
      'victim@example.com',
      'victim+0@example.com',
      'victim+0+1@example.com',
      'victim+@example.com',
    )
    one('victim@gmail.com', ...Array.from({ length: 100 }, (_, n) => `victim+${n}@gmail.com`))
  })

  it('is one for all ways to dot a name at the provider that ignores dots, and only there', () => {
    one('vi.c.tim@gmail.com', 'victim@gmail.com', 'v.ictim+x@googlemail.com')
    several('vi.ctim@example.com', 'victim@example.com')
  })

  it('is one at all domains of a provider', () => {
    one('ada@icloud.com', 'ada@me.com', 'ada@mac.com')
    one('ada@proton.me', 'ada@protonmail.com', 'ada@pm.me')
    several('ada@icloud.com', 'ada@gmail.com')
  })

  it('is one however the name is quoted', () => {
    one('"victim"@gmail.com', 'victim@gmail.com', String.raw`"vi\ctim+1"@gmail.com`)
  })

  it('is told apart by name and by domain', () => {
    several('ada@example.com', 'bob@example.com', 'ada@example.org', 'ada@mail.example.com')
  })

  it('keeps a name that is all tag or all dots', () => {
    several('+a@gmail.com', '+b@gmail.com', '"."@gmail.com', '".."@gmail.com')
  })
})
