import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../../src/sign-up/signs/attempt.ts'
import { crowds, crowdsOfAddresses } from '../../../src/sign-up/signs/crowd.ts'
import { openSince } from '../../../src/sign-up/signs/form.ts'
import { recentCounts } from '../../../src/sign-up/signs/recent.ts'
import { addressSigns, suspicions } from '../../../src/sign-up/signs/suspicions.ts'

const NOW = Date.UTC(2026, 10, 22)
const DAY_MS = 24 * 3_600_000

const browser = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  'accept-language': 'en-US,en;q=0.5',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'cors',
  'sec-fetch-dest': 'empty',
}
const curl = { 'user-agent': 'curl/8.14.1', 'accept-language': 'en' }
/** A hint, and no more: what some proxy may have stripped. */
const stripped = { 'user-agent': browser['user-agent'] }

/** Somebody like everybody, but for what is given. */
const somebody = (given: Partial<Attempt> = {}): Attempt => ({
  email: 'ada@gmail.com',
  at: NOW,
  network: '203.0.113.0/24',
  isBeyondDay: false,
  headers: browser,
  isHiddenFieldFilled: false,
  session: { uid: 'a', beganAt: NOW - 10_000, isLate: false },
  ...given,
})

const session = (ms: number, uid = 'a') => ({ uid, beganAt: NOW - ms, isLate: false })

const suspicionOf = (given: Partial<Attempt>) => suspicions()(somebody(given))

/** What is seen of the last of so many. */
function lastOf(count: number, each: (i: number) => Partial<Attempt>) {
  const look = suspicions()
  let last: string | undefined
  for (let i = 0; i < count; i += 1)
    last = look(somebody({ session: session(10_000, String(i)), ...each(i) }))
  return last
}

it('has nothing against somebody like everybody', () => {
  expect(suspicionOf({})).toBeUndefined()
})

describe('a hidden field that was filled', () => {
  it('is enough where the session just began, or where there is none', () => {
    const isHiddenFieldFilled = true
    expect(suspicionOf({ isHiddenFieldFilled, session: session(2900) })).toBe('hidden-field')
    expect(suspicionOf({ isHiddenFieldFilled, session: undefined })).toBe('hidden-field')
  })

  it('is a hint where the page was open for a while', () => {
    const isHiddenFieldFilled = true
    expect(suspicionOf({ isHiddenFieldFilled, session: session(3000) })).toBeUndefined()
    const more = { isHiddenFieldFilled, session: session(3000), headers: stripped }
    expect(suspicionOf(more)).toBe('hidden-field, headers')
  })
})

describe('a form', () => {
  it.each([
    ['since the session began', 10_000, 4000, 10_000],
    ['for as long as the page says, where the session came later', 400, 8000, 8000],
    ['as in a form without script', 400, '8000', 8000],
    ['since the session began, where the page says nothing', 400, undefined, 400],
    ['or what is no time', 400, 'long', 400],
    ['or one to come', 400, -1e300, 400],
  ])('could be used %s', (_how, sessionMs, said, ms) => {
    expect(openSince(NOW - sessionMs, NOW, said)).toBe(NOW - ms)
  })
})

describe('haste', () => {
  it('is less than a second after the session began', () => {
    expect(suspicionOf({ session: session(999) })).toBe('too-quick')
    expect(suspicionOf({ session: session(0) })).toBe('too-quick')
    expect(suspicionOf({ session: session(1000) })).toBeUndefined()
  })

  it('is none where the page says that the session came late, or without one', () => {
    expect(suspicionOf({ session: { ...session(0), isLate: true } })).toBeUndefined()
    expect(suspicionOf({ session: undefined })).toBeUndefined()
  })

  it('is none where a clock was put back, or that of another server is behind', () => {
    expect(suspicionOf({ session: session(-5) })).toBeUndefined()
  })

  it('is another address within a second, late or not, and not the same one again', () => {
    const look = suspicions()
    const isLate = { ...session(60_000), isLate: true }
    const send = (email: string, ms: number) =>
      look(somebody({ email, at: NOW + ms, session: isLate }))
    expect(send('ada@gmail.com', 0)).toBeUndefined()
    expect(send('ada@gmail.com', 10)).toBeUndefined()
    expect(send('bob@gmail.com', 1009)).toBe('too-quick')
    expect(send('cyd@gmail.com', 2009)).toBeUndefined()
  })
})

describe('a program', () => {
  it.each([
    'curl/8.14.1',
    'Wget/1.25.0',
    'python-requests/2.32.3',
    'Python/3.13 aiohttp/3.12.15',
    'Go-http-client/1.1',
    'okhttp/5.1.0',
    'Java/24.0.1',
    'node',
    'axios/1.11.0',
    'libwww-perl/6.78',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/141.0.0.0 Safari/537.36',
  ])('says so itself: %s', (agent) => {
    expect(suspicionOf({ headers: { ...browser, 'user-agent': agent } })).toBe('program')
  })

  it.each([
    browser['user-agent'],
    'Lynx/2.9.2 libwww-FM/2.14 SSL-MM/1.4.1 OpenSSL/3.5.0',
    'w3m/0.5.3+git20230121',
    'Links (2.30; Linux 6.12 x86_64; GNU C 14.2; text)',
    'Opera/9.80 (J2ME/MIDP; Opera Mini/7.1; U; en) Presto/2.12.423 Version/12.16',
    'Dillo/3.2.0',
    'NetSurf/3.11 (Linux)',
    '',
  ])('is none of those that people use: %s', (agent) => {
    expect(suspicionOf({ headers: { ...browser, 'user-agent': agent } })).toBeUndefined()
  })
})

describe('headers that no browser sends', () => {
  const hint = { isHiddenFieldFilled: true }

  it('are none about language and origin, or half of those about origin', () => {
    const { 'sec-fetch-mode': _, ...half } = browser
    for (const headers of [stripped, half])
      expect(suspicionOf({ ...hint, headers })).toBe('hidden-field, headers')
  })

  it('are not those of an old browser, or of one behind a proxy that strips what it does not know', () => {
    const old = { 'user-agent': browser['user-agent'], 'accept-language': 'de' }
    const { 'accept-language': _, ...silent } = browser
    for (const headers of [old, silent, browser])
      expect(suspicionOf({ ...hint, headers })).toBeUndefined()
  })

  it('are a hint and no more', () => {
    expect(suspicionOf({ headers: stripped })).toBeUndefined()
  })
})

describe('many of a day', () => {
  const crowded = (i: number) => ({ email: `p${i}@gmail.com`, headers: stripped })

  it('are more than ten of a network, which is a hint', () => {
    expect(lastOf(10, crowded)).toBeUndefined()
    expect(lastOf(11, crowded)).toBe('headers, network-share')
    expect(lastOf(500, (i) => ({ email: `p${i}@gmail.com` }))).toBeUndefined()
  })

  it('are ordinary where they are one in fifty, as for an office on a day with thousands', () => {
    const among = (share: number) => (i: number) => ({
      email: `p${i}@gmail.com`,
      headers: stripped,
      network: i % share === share - 1 ? '203.0.113.0/24' : `2001:db8:${i}::/48`,
    })
    expect(lastOf(5000, among(50))).toBeUndefined()
    expect(lastOf(4900, among(49))).toBe('headers, network-share')
  })

  it('are no more than usual at a public provider or a relay', () => {
    const at = (domain: string) =>
      lastOf(50, (i) => ({ email: `p${i}@${domain}`, network: `${i}`, headers: stripped }))
    for (const domain of ['gmail.com', 'web.de', 'ya.ru', 'duck.com', 'ada.anonaddy.com'])
      expect(at(domain), domain).toBeUndefined()
    expect(at('acme.example')).toBe('headers, domain-share')
  })

  it('do not count twice where a company signs up from its own network', () => {
    expect(lastOf(100, (i) => ({ email: `p${i}@acme.example` }))).toBeUndefined()
  })

  it('are counted anew after a day', () => {
    const look = suspicions()
    const seen = (at: number) => look(somebody({ at, headers: stripped, session: undefined }))
    for (let i = 0; i < 11; i += 1) seen(NOW)
    expect(seen(NOW + DAY_MS)).toBe('headers, network-share')
    expect(seen(NOW + DAY_MS + 1)).toBeUndefined()
  })

  it('do not count for a network that is not known', () => {
    const unknown = (i: number) => ({ ...crowded(i), network: undefined })
    expect(lastOf(50, unknown)).toBeUndefined()
  })

  it('are remembered though very many others come between them', () => {
    const look = suspicions()
    let last: string | undefined
    for (let i = 0; i < 60_000; i += 1) {
      const network = i % 10 === 0 ? '203.0.113.0/24' : `${i}`
      last = look(somebody({ network, session: undefined, headers: stripped }))
      if (i > 1000 && i % 10 === 0) expect(last).toBe('headers, network-share')
    }
  })
})

it('of all names, those are counted that came last: no flood fills the memory', () => {
  const count = recentCounts(DAY_MS)
  for (let i = 0; i < 20_001; i += 1) count(`${i}`, NOW)
  expect(count('1', NOW).count).toBe(2)
  expect(count('0', NOW).count).toBe(1)
})

it('of a time long before, they are counted anew, as after a clock that was set back', () => {
  const count = recentCounts(DAY_MS)
  for (let i = 0; i < 9; i += 1) count('a', NOW)
  expect(count('a', NOW - DAY_MS).count).toBe(10)
  expect(count('a', NOW - 2 * DAY_MS)).toEqual({ count: 1, all: 1 })
})

describe('aliases of one mailbox', () => {
  it('are used up by nobody who is held for another reason', () => {
    for (const headers of [curl, stripped]) {
      const look = suspicions()
      for (let i = 0; i < 20; i += 1) {
        const robot = { email: `ada+${i}@gmail.com`, headers, session: session(10_000, `${i}`) }
        expect(look(somebody({ ...robot, isHiddenFieldFilled: true }))).not.toContain('aliases')
      }
      expect(look(somebody())).toBeUndefined()
    }
  })

  it('are enough from the sixth of a day on, however they are written', () => {
    const names = ['a.da+1', 'ad.a+1', 'a.d.a+1', 'ada+1', 'ada+2', 'ada+3']
    const alias = (i: number) => ({ email: `${names[i]}@gmail.com` })
    expect(lastOf(5, alias)).toBeUndefined()
    expect(lastOf(6, alias)).toBe('mailbox-aliases')
  })

  it('are never enough for an address without a tag: it is the owner’s, whatever others typed', () => {
    const aliases = (i: number) => ({ email: i < 20 ? `ada+${i}@yahoo.com` : 'ada@yahoo.com' })
    expect(lastOf(10, aliases)).toBe('mailbox-aliases')
    expect(lastOf(21, aliases)).toBeUndefined()
    const dots = (i: number) => ({ email: `${'a'.repeat(i + 1)}.da@gmail.com` })
    expect(lastOf(20, dots)).toBeUndefined()
  })

  it('are one when one address is sent again and again', () => {
    expect(lastOf(30, () => ({ email: 'ada+tag@gmail.com' }))).toBeUndefined()
  })

  it('are counted anew after a day', () => {
    const alias = (i: number) => ({
      email: `ada+${i}@web.de`,
      at: NOW + (i === 6 ? DAY_MS + 1 : 0),
    })
    expect(lastOf(6, alias)).toBe('mailbox-aliases')
    expect(lastOf(7, alias)).toBeUndefined()
  })
})

it('more than the limit of a day from one network is enough, and says so', () => {
  expect(suspicionOf({ isBeyondDay: true })).toBe('day-limit')
})

describe('a disposable domain', () => {
  it('is a hint', () => {
    expect(suspicionOf({ email: 'ada@mailinator.com' })).toBeUndefined()
    expect(suspicionOf({ email: 'ada@mailinator.com', headers: stripped })).toBe(
      'headers, disposable-domain',
    )
  })

  it.each([
    ...'privaterelay.appleid.com icloud.com mozmail.com duck.com simplelogin.com'.split(' '),
    ...'aleeas.com slmail.me passmail.net passinbox.com proton.me'.split(' '),
    ...'ada.anonaddy.com'.split(' '),
  ])('is no relay and no provider that people use: %s', (domain) => {
    expect(suspicionOf({ email: `ada@${domain}`, headers: stripped })).toBeUndefined()
  })
})

describe('an address alone', () => {
  const nothing = { network: undefined, isBeyondDay: false, session: undefined }
  const unseen = { ...nothing, headers: {}, isHiddenFieldFilled: false }
  const last = (count: number, each: (i: number) => string) => {
    const look = suspicions(addressSigns)
    const seen = Array.from({ length: count }, (_, i) =>
      look({ ...unseen, email: each(i), at: NOW }),
    )
    return seen.at(-1)
  }

  it('shows many of one mailbox, and many at one disposable domain', () => {
    expect(last(5, (i) => `ada+${i}@gmail.com`)).toBeUndefined()
    expect(last(6, (i) => `ada+${i}@gmail.com`)).toBe('mailbox-aliases')
    expect(last(10, (i) => `p${i}@mailinator.com`)).toBeUndefined()
    expect(last(11, (i) => `p${i}@mailinator.com`)).toBe('domain-share, disposable-domain')
  })

  it('shows nothing of a company, nor what only a server sees', () => {
    expect(last(50, (i) => `p${i}@acme.example`)).toBeUndefined()
    const look = suspicions(addressSigns)
    const robot = { headers: curl, isHiddenFieldFilled: true, session: session(0) }
    expect(look(somebody(robot))).toBeUndefined()
  })
})

it('names every sign that was seen, in the order of the table', () => {
  const all = {
    email: 'ada@mailinator.com',
    headers: curl,
    isHiddenFieldFilled: true,
    session: session(0),
  }
  expect(suspicionOf(all)).toBe('hidden-field, too-quick, program, disposable-domain')
})

it('lets the letters of a crowd wait: more than ten of a network within the hour', () => {
  let now = NOW
  const isCrowd = crowds(() => now)
  const ten = Array.from({ length: 10 }, () => isCrowd('203.0.113.0/24'))
  expect(ten).not.toContain(true)
  expect(isCrowd('203.0.113.0/24')).toBe(true)
  expect(isCrowd('198.51.100.0/24')).toBe(false)
  expect(isCrowd(undefined)).toBe(false)
  now += 3_600_001
  expect(isCrowd('203.0.113.0/24')).toBe(false)
})

it.each([
  ['addresses of one domain', (i: number) => `visitor${i}@example.com`, true],
  ['addresses of a public provider', (i: number) => `visitor${i}@gmail.com`, false],
  ['tags of one mailbox there', (i: number) => `ada+${i}@gmail.com`, true],
  [
    'spellings of one address there, by itself',
    (i: number) => (i < 11 ? `ada+${i}@gmail.com` : 'ada@gmail.com'),
    false,
  ],
] as const)('of those whose network is not seen, many %s are a crowd or not', (_, email, isOne) => {
  const isCrowd = crowdsOfAddresses(() => NOW)
  for (let i = 0; i < 10; i += 1) expect(isCrowd(email(i))).toBe(false)
  isCrowd(email(10))
  expect(isCrowd(email(11))).toBe(isOne)
})
