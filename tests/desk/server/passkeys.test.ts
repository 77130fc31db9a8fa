import { expect, it } from 'vitest'
import { MOST_PASSKEYS, passkeyPlace } from '../../../src/desk/access/passkeys.ts'
import { newSession } from '../../../src/desk/access/sessions.ts'
import type { AccessPage } from '../../../src/desk/contract/pages.ts'
import { deskHeaders } from '../../../src/desk/contract/visitor.ts'
import { deskCsrf, deskTokens } from '../../../src/keys/desk-tokens.ts'
import { authenticator } from '../../fixtures/authenticator.ts'
import { openDesk } from '../../fixtures/desk.ts'

const place = { origin: 'http://localhost:3000', host: 'localhost' }
const phone =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

/** A desk with a session that is kept, and an authenticator. */
async function opened() {
  const desk = await openDesk()
  const { store, home, ask } = desk
  const id = 'a-session'
  await store.desk.change((found, now) => ({
    result: undefined,
    state: { ...found, sessions: [newSession(id, 'link', 'Chrome on Android', now)] },
  }))
  const csrf = deskCsrf(home.linkKey)(id)
  const inside = { [deskHeaders.id]: id, 'user-agent': phone }
  const from = { origin: place.origin, 'sec-fetch-site': 'same-origin' }
  const options = async () =>
    JSON.parse(
      (
        await ask({
          method: 'POST',
          url: '/desk/access/passkeys/options',
          headers: { ...inside, ...from, 'x-csrf': csrf },
        })
      ).body,
    )
  const add = (answer: unknown, headers = {}) =>
    desk.post(
      '/desk/access/passkeys',
      { csrf, answer: JSON.stringify(answer) },
      { ...inside, ...headers },
    )
  const post = (end: string, fields: Record<string, string>) =>
    desk.post(`/desk/access/${end}`, { csrf, ...fields }, inside)
  const page = async (headers = {}, query = '') =>
    (await desk.get(`/desk/access${query}`, { ...inside, ...headers })).page as AccessPage
  const cookieOf = (answer: { headers: Record<string, unknown> }) =>
    String(answer.headers['set-cookie']).split(';')[0] ?? ''
  return { ...desk, options, add, post, page, cookieOf }
}

/** Asks as a device that has a passkey and no session. */
async function asDevice({ ask, home }: Awaited<ReturnType<typeof opened>>, cookie: string) {
  const token = cookie.split('=')[1] ?? ''
  const device = String(deskTokens(home.linkKey).idOf('device', token))
  const headers = {
    [deskHeaders.by]: 'device',
    [deskHeaders.id]: device,
    origin: place.origin,
    'sec-fetch-site': 'same-origin',
    'user-agent': phone,
  }
  const csrf = deskCsrf(home.linkKey)(device)
  return {
    get: (url: string) => ask({ url, headers }),
    options: async () =>
      JSON.parse(
        (
          await ask({
            method: 'POST',
            url: '/desk/sign-in/options',
            headers: { ...headers, 'x-csrf': csrf },
          })
        ).body,
      ),
    signIn: (answer: unknown) =>
      ask({
        method: 'POST',
        url: '/desk/sign-in',
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ csrf, answer: JSON.stringify(answer) }).toString(),
      }),
  }
}

it('a passkey is added by the session that asked for it, once, and named by its device', async () => {
  const at = await opened()
  const key = authenticator(place)
  const earlier = await at.options()
  const asked = await at.options()
  expect(asked).toMatchObject({
    rp: { id: 'localhost' },
    user: { name: expect.stringMatching(/ desk, Chrome on Android$/) },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    timeout: 300_000,
    pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
  })
  const answer = key.create(asked.challenge)
  const added = await at.add(answer)
  expect(added.headers.location).toBe('/desk/access?added')
  const cookie = at.cookieOf(added)
  expect(String(added.headers['set-cookie'])).toMatch(
    /^desk-device-[\w-]{8}=[\w-]{65}; Max-Age=31536000;/,
  )
  expect(await at.page({ cookie }, '?added')).toMatchObject({
    passkeys: [{ name: 'Chrome on Android', isThis: true }],
    sessions: [{ isThis: true }],
    canAdd: true,
    notice: 'added',
  })
  expect((await at.page({}, '?other')).passkeys).toMatchObject([{ isThis: false }])
  expect((await at.page()).notice).toBeNull()
  // The same answer again, one to nothing that was asked, and one of another place.
  for (const wrong of [
    answer,
    key.create('never asked'),
    authenticator({ ...place, origin: 'https://evil.example' }).create(
      (await at.options()).challenge,
    ),
    authenticator({ ...place, host: 'evil.example' }).create((await at.options()).challenge),
    {},
  ]) {
    const refused = await at.add(wrong)
    expect(refused.headers.location).toBe('/desk/access?not-added')
    expect(refused.headers['set-cookie']).toBeUndefined()
  }
  expect((await at.page()).passkeys).toHaveLength(1)
  // The same device adds another, which was asked for before: it takes the place of the first.
  const again = authenticator(place).create(earlier.challenge)
  await at.add(again, { cookie })
  expect((await at.page()).passkeys).toHaveLength(1)
})

it('a passkey is removed, with the sessions that it opened', async () => {
  const at = await opened()
  const key = authenticator(place)
  const other = { ...key.passkey('another device'), id: 'another-key', name: 'Another' }
  await at.store.desk.change((found, now) => ({
    result: undefined,
    state: {
      ...found,
      passkeys: [key.passkey('a device'), other],
      sessions: [
        ...found.sessions,
        { ...newSession('by-key', 'passkey', 'x', now), passkey: other.id },
      ],
    },
  }))
  const removed = await at.post('end', { id: other.id })
  expect(removed.headers.location).toBe('/desk/access?ended')
  const page = await at.page()
  expect(page.passkeys.map(({ name }) => name)).toEqual(['A key'])
  expect(page.sessions.map(({ id }) => id)).toEqual(['a-session'])
  expect((await at.post('end', { id: 'a b' })).statusCode).toBe(400)
})

it('twenty passkeys are kept at most', async () => {
  const at = await opened()
  const [key] = [authenticator(place).passkey('x')]
  const many = Array.from({ length: MOST_PASSKEYS }, (_, n) => ({
    ...key,
    id: `key-${n}`,
    deviceId: `device-${n}`,
  }))
  const keep = (passkeys: typeof many) =>
    at.store.desk.change((found) => ({ result: undefined, state: { ...found, passkeys } }))
  const add = async () => {
    const { challenge } = await at.options()
    return (await at.add(authenticator(place).create(challenge))).headers.location
  }
  await keep(many)
  expect(await add()).toBe('/desk/access?not-added')
  await keep(many.slice(1))
  expect(await add()).toBe('/desk/access?added')
  expect((await at.store.desk.read()).passkeys).toHaveLength(MOST_PASSKEYS)
})

it('a device with a passkey signs in before any page, by an answer that counts once', async () => {
  const at = await opened()
  const key = authenticator(place)
  const cookie = at.cookieOf(await at.add(key.create((await at.options()).challenge)))
  const device = await asDevice(at, cookie)
  for (const url of ['/desk', '/desk/people', '/desk/none']) {
    const { statusCode, page } = await device.get(url)
    expect([statusCode, page]).toEqual([200, { page: 'door', state: 'sign-in' }])
  }
  const asked = await device.options()
  expect(asked).toMatchObject({
    rpId: 'localhost',
    allowCredentials: [{ type: 'public-key', id: key.passkey('').id }],
    userVerification: 'required',
    timeout: 300_000,
  })
  // Of a key that counts nothing, as most do.
  const answer = key.answer(asked.challenge, 0)
  const [first, second] = [await device.signIn(answer), await device.signIn(answer)]
  expect(first.headers.location).toBe('/desk')
  expect(String(first.headers['set-cookie'])).toMatch(/^desk-[\w-]{8}=[\w-]{65}; Max-Age=43200;/)
  expect(second.statusCode).toBe(403)
  expect(second.page).toEqual({ page: 'door', state: 'not-accepted' })
  expect(second.headers['set-cookie']).toBeUndefined()
  const { sessions, passkeys } = await at.store.desk.read()
  expect(sessions.at(-1)).toMatchObject({ by: 'passkey', device: 'Chrome on Android' })
  expect(passkeys).toMatchObject([{ counter: 0, usedAt: expect.any(Number) }])
  const counting = key.answer((await device.options()).challenge, 1)
  expect((await device.signIn(counting)).statusCode).toBe(303)
  // A counter that does not go up is of a copy of the key.
  for (const counter of [1, 0]) {
    const { challenge } = await device.options()
    expect((await device.signIn(key.answer(challenge, counter))).statusCode).toBe(403)
  }
  const { challenge } = await device.options()
  const others = authenticator(place).answer(challenge, 9)
  expect((await device.signIn({ ...others, id: key.passkey('').id })).statusCode).toBe(403)
  expect((await device.signIn('nothing')).statusCode).toBe(403)
  // A page of another site of the same host, which asks the same key.
  for (const elsewhere of ['http://localhost:4000', 'https://localhost:3000']) {
    const signed = key.answer((await device.options()).challenge, 9, elsewhere)
    expect((await device.signIn(signed)).statusCode, elsewhere).toBe(403)
  }
  const unverified = key.answer((await device.options()).challenge, 9, place.origin, 1)
  expect((await device.signIn(unverified)).statusCode).toBe(403)
  // Of one passkey five sessions are open at most, and no other one ends for them.
  for (let counter = 2; counter <= 8; counter += 1)
    await device.signIn(key.answer((await device.options()).challenge, counter))
  const after = (await at.store.desk.read()).sessions
  expect(after.filter(({ by }) => by === 'passkey')).toHaveLength(5)
  expect(after.filter(({ by }) => by === 'link')).toHaveLength(1)
  // One that is removed meanwhile opens nothing.
  const last = key.answer((await device.options()).challenge, 9)
  await at.post('end', { id: key.passkey('').id })
  expect((await device.signIn(last)).statusCode).toBe(403)
})

it('nobody signs in with a passkey but a device that has one', async () => {
  const { post, ask, csrf } = await openDesk()
  expect((await post('/desk/sign-in', { answer: '{}' })).statusCode).toBe(404)
  const from = { origin: place.origin, 'sec-fetch-site': 'same-origin', 'x-csrf': csrf }
  const options = { method: 'POST', url: '/desk/sign-in/options', headers: from } as const
  expect((await ask(options)).statusCode).toBe(404)
  const { get, post: postThere } = await openDesk({ publicUrl: 'http://192.0.2.1:3000' })
  expect((await get('/desk/access')).page).toMatchObject({ canAdd: false })
  const there = { origin: 'http://192.0.2.1:3000' }
  expect((await postThere('/desk/access/passkeys/options', {}, there)).statusCode).toBe(409)
  expect((await postThere('/desk/access/passkeys', { answer: '{}' }, there)).headers.location).toBe(
    '/desk/access?not-added',
  )
})

it('passkeys are of a name, on https or on this machine', () => {
  expect(passkeyPlace('https://example.com/x', 'other')).toEqual({
    origin: 'https://example.com',
    host: 'example.com',
  })
  expect(passkeyPlace(null, 'localhost:3000')).toEqual(place)
  for (const [url, host] of [
    ['http://example.com', ''],
    ['https://192.0.2.1', ''],
    ['https://[2001:db8::1]', ''],
    [null, '127.0.0.1:3000'],
    [null, 'example.com'],
    [null, ''],
  ] as const)
    expect(passkeyPlace(url, host), String(url ?? host)).toBeUndefined()
})
