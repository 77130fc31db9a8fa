import { describe, expect, it } from 'vitest'
import { isTagged, mailboxOf } from '../../src/shared/address-folding.ts'
import { parseEmail } from '../../src/shared/email.ts'
import mailboxProviders from '../../src/shared/mailbox-providers.json' with { type: 'json' }

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

  it('is one for each domain of a provider where a name need not be there at the others', () => {
    several('ada@icloud.com', 'ada@me.com', 'ada@mac.com')
    several('ada@proton.me', 'ada@protonmail.com', 'ada@protonmail.ch', 'ada@pm.me')
  })

  it('is one at all of Yandex’s domains, where a dot is a hyphen', () => {
    const domains = 'yandex.ru ya.ru yandex.com yandex.by yandex.kz yandex.ua narod.ru'.split(' ')
    one(...domains.flatMap((domain) => [`a.da@${domain}`, `a-da@${domain}`]))
    several('a.da@yandex.ru', 'ada@yandex.ru', 'a_da@yandex.ru')
  })

  it('is one however Proton’s dots, hyphens and underscores are set', () => {
    for (const domain of ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'])
      one(`ada.l@${domain}`, `ada-l@${domain}`, `a_d.a-l+x@${domain}`, `adal@${domain}`)
    several('ada.l@example.com', 'ada-l@example.com', 'ada_l@example.com')
  })

  it('is one for all that is written before a name in Fastmail’s domain', () => {
    one('ada@fastmail.com', 'ada+1@fastmail.com', 'shop@ada.fastmail.com', 'b+c@ada.fastmail.com')
    several('ada@fastmail.com', 'ada@fastmail.fm', 'ada@bob.fastmail.com', 'ada@bob.example.com')
  })

  it('is one for all keywords behind a hyphen at Yahoo, and only there', () => {
    one('ada-1@yahoo.com', 'ada-shop@yahoo.com', 'ada@yahoo.com', 'ada+1@yahoo.com')
    several('ada-1@example.com', 'ada-2@example.com', 'ada-1@yahoo.co.jp', '-1@yahoo.com')
  })

  it('is read by rules that each have a source', () => {
    for (const { domains, sources } of mailboxProviders)
      expect(sources.length, domains[0]).toBeGreaterThan(0)
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

describe('an address with a tag', () => {
  it('is one with quotes or backslashes that its name does not need, as anybody can make those up', () => {
    const inVain = [
      '"ada"@corp.example',
      String.raw`"\ada"@corp.example`,
      String.raw`"a\ b"@corp.example`,
    ]
    expect(inVain.filter((email) => !isTagged(email))).toEqual([])
    const needed = ['"a b"@corp.example', String.raw`"a\"b"@corp.example`, '"a..b"@corp.example']
    expect(needed.filter(isTagged)).toEqual([])
    expect([...inVain, ...needed].filter((email) => parseEmail(email) !== email)).toEqual([])
  })

  it('is one that anybody can make up for a mailbox', () => {
    const tagged = ['a+1@example.com', '"a+1"@gmail.com', 'a-1@yahoo.com', 'x@a.fastmail.com']
    expect(tagged.filter((email) => !isTagged(email))).toEqual([])
    const plain = ['a@example.com', 'a.b@gmail.com', 'a-1@example.com', 'x@a.example.com']
    expect(plain.filter(isTagged)).toEqual([])
    expect(
      ['+a@gmail.com', '"."@gmail.com', 'a-b_c.d@proton.me', 'x@[127.0.0.1]'].filter(isTagged),
    ).toEqual([])
  })
})
