import { describe, expect, it } from 'vitest'
import { notingStore, openApp, openSince, postForm, subscribe } from '../fixtures/app.ts'

/** The suspicions of people who sign up one after the other through one address of the internet. */
async function suspicionsOf(
  people: readonly { email: string; headers: Record<string, string>; isForm?: boolean }[],
  remoteAddress: string,
) {
  const { notes, store } = notingStore()
  const { app } = await openApp({ store, publicUrl: 'https://example.com' })
  for (const { email, headers, isForm } of people) {
    const { statusCode } = isForm
      ? await postForm(app, { email, comment: '' }, headers, { remoteAddress })
      : await subscribe(app, headers, email, { remoteAddress })
    expect(statusCode).toBe(isForm ? 303 : 201)
  }
  expect(await store.list.count()).toBe(people.length)
  return notes.map((note) => note?.suspicion)
}

const some = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i))

describe('people who share an address', () => {
  it('come through one exit of Tor, with script and without, and none looks like a robot', async () => {
    const tor = {
      'user-agent': 'Mozilla/5.0 (Windows NT 10.0; rv:128.0) Gecko/20100101 Firefox/128.0',
      accept: '*/*',
      'accept-language': 'en-US,en;q=0.5',
      'accept-encoding': 'gzip, deflate, br, zstd',
      origin: 'https://example.com',
      'sec-fetch-dest': 'empty',
      'sec-fetch-mode': 'cors',
      'sec-fetch-site': 'same-origin',
    }
    const people = some(60, (i) => ({
      email: `p${i}@proton.me`,
      isForm: i % 2 === 0,
      headers: i % 2 === 0 ? tor : { ...openSince(8000), ...tor },
    }))
    expect(await suspicionsOf(people, '185.220.101.4')).toEqual(some(60, () => undefined))
  })

  const office = {
    'user-agent':
      'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/75.0.3770.142 Safari/537.36',
    accept: '*/*',
    origin: 'https://example.com',
    via: '1.1 proxy.acme.example (squid/6.13)',
    'x-forwarded-for': '10.20.30.40',
  }
  const inOffice = (headers: Record<string, string>) =>
    some(60, (i) => ({
      email: `p${i}@acme.example`,
      headers: { ...headers, cookie: openSince(8000).cookie },
    }))

  it('sit behind the proxy of a company, with old browsers and fewer headers, and none does', async () => {
    const people = inOffice({ ...office, 'accept-language': 'de-DE,de;q=0.9' })
    expect(await suspicionsOf(people, '198.51.100.9')).toEqual(some(60, () => undefined))
  })

  it('do look like it where their proxy strips even the language: all but the first ten', async () => {
    const suspicions = await suspicionsOf(inOffice(office), '198.51.100.9')
    expect(suspicions.slice(0, 10)).toEqual(some(10, () => undefined))
    expect(new Set(suspicions.slice(10))).toEqual(new Set(['headers, network-share, domain-share']))
  })
})
