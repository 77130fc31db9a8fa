import { expect, it } from 'vitest'
import { friendCodes } from '../../../src/features/referrals/codes.ts'
import { readReferrals } from '../../../src/features/referrals/count-friends.ts'
import { paths } from '../../../src/shared/api.ts'
import { openApp, openSince, postForm, subscribe } from '../../fixtures/app.ts'
import { answer, letterTo, startConfirming } from '../../fixtures/confirming.ts'
import { ids, linkKey } from '../../fixtures/keys.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'

const page = 'http://localhost/'

async function opened({ hasReferrals = true, languages = ['en'] } = {}) {
  const store = storeOnFile()
  const { app, logged } = await openApp({
    store,
    suppressions: store.standings,
    requests: store.requests,
    features: { referrals: hasReferrals },
    languages,
  })
  const { relay } = await startConfirming(store.requests)
  const signUp = (email: string, query = '') =>
    subscribe(app, { ...openSince(60_000), referer: `${page}${query}` }, email)
  const confirmed = async (email: string) => {
    const { path } = await letterTo(relay, email)
    const { body } = await answer(app, path, { answer: 'yes' })
    return { path, code: /by=([\w-]*)"/.exec(body)?.[1] }
  }
  const counts = async () => (await readReferrals(store, ids.of)).counts
  return { app, store, relay, logged, signUp, confirmed, counts }
}

it('shows a personal link once somebody has confirmed, and counts the friend who comes by it and confirms', async () => {
  const { app, relay, logged, signUp, confirmed, counts } = await opened()
  await signUp('ada@example.com')
  const { letter, path } = await letterTo(relay, 'ada@example.com')
  const asking = await app.inject(path)
  expect(asking.body + letter.text + letter.html).not.toContain('by=')
  const { code = '' } = await confirmed('ada@example.com')
  expect(code).toBe(friendCodes(linkKey).of(ids.of('ada@example.com')))
  expect((await app.inject(path)).body).toContain(`by=${code}`)

  await signUp('bob@example.com', `?by=${code}&ref=friend-copy`)
  await letterTo(relay, 'bob@example.com')
  expect(await counts()).toMatchObject({ links: 1, asked: 1, credited: 0 })
  await confirmed('bob@example.com')
  expect(await counts()).toMatchObject({ links: 2, asked: 0, credited: 1 })
  expect(logged()).not.toContain(code)
})

it('gives nobody a friend for typing their address first', async () => {
  const { relay, signUp, confirmed, counts } = await opened()
  const codes: string[] = []
  for (const email of ['eve@example.com', 'ada@example.com']) {
    await signUp(email)
    codes.push(String((await confirmed(email)).code))
  }
  const [eve, ada] = codes
  await signUp('bob@example.com', `?by=${eve}`)
  await letterTo(relay, 'bob@example.com')
  const [first, second] = [
    await signUp('bob@example.com', `?by=${ada}`),
    await signUp('cleo@example.com'),
  ]
  expect([first.statusCode, first.body]).toEqual([second.statusCode, second.body])
  await letterTo(relay, 'cleo@example.com')
  await signUp('cleo@example.com', `?by=${ada}`)
  await expect.poll(counts).toMatchObject({ asked: 2 })
  await confirmed('bob@example.com')
  await confirmed('cleo@example.com')
  expect(await counts()).toMatchObject({
    credited: 1,
    bringers: [{ email: 'ada@example.com' }],
    heldDays: [{ email: 'eve@example.com', why: 'contested' }],
  })
})

it('answers alike whatever code a link has, and refuses nobody', { tags: 'thorough' }, async () => {
  const { signUp, confirmed, counts } = await opened()
  await signUp('ada@example.com')
  const { code = '' } = await confirmed('ada@example.com')
  const plain = await signUp('plain@example.com')
  const others = [
    `?by=${code}`,
    `?by=${'A'.repeat(22)}`,
    '?by=',
    '?by=%00',
    `?by=${'x'.repeat(900)}`,
  ]
  for (const [i, query] of others.entries()) {
    const { statusCode, body, headers } = await signUp(`friend${i}@example.com`, query)
    const { date: _, ...rest } = headers
    const { date: __, ...expected } = plain.headers
    expect({ statusCode, body, rest }).toEqual({
      statusCode: plain.statusCode,
      body: plain.body,
      rest: expected,
    })
    await confirmed(`friend${i}@example.com`)
  }
  expect(await counts()).toMatchObject({ links: 6, confirmed: 1, credited: 1 })
})

it('keeps the code through a mistake in the form without script', {
  tags: 'thorough',
}, async () => {
  const { app, relay, signUp, confirmed, counts } = await opened({ languages: ['en', 'de'] })
  await signUp('ada@example.com')
  const { code = '' } = await confirmed('ada@example.com')
  const wrong = await postForm(
    app,
    { email: 'nonsense' },
    { referer: `${page}?by=${code}&ref=friend-copy` },
  )
  const action = /action="([^"]+)"/.exec(wrong.body)?.[1]?.replaceAll('&#38;', '&') ?? ''
  // Its fragment brings the field and its message into view.
  expect(action).toBe(`/en${paths.subscribe}?ref=friend-copy&by=${code}#email`)
  const again = await app.inject({
    method: 'POST',
    url: action,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      referer: `${page}subscribe`,
    },
    payload: 'email=bob%40example.com',
  })
  expect(again.headers.location).toBe(`/en${paths.subscribed}`)
  await letterTo(relay, 'bob@example.com')
  await confirmed('bob@example.com')
  expect(await counts()).toMatchObject({ credited: 1 })
})

it('shows and keeps nothing of it where it is off', async () => {
  const { signUp, confirmed, counts } = await opened({ hasReferrals: false })
  await signUp('ada@example.com')
  expect((await confirmed('ada@example.com')).code).toBe('')
  await signUp('bob@example.com', `?by=${friendCodes(linkKey).of(ids.of('ada@example.com'))}`)
  await confirmed('bob@example.com')
  expect(await counts()).toMatchObject({ links: 2, confirmed: 0 })
})
