import { expect, it } from 'vitest'
import { joinPaths } from '../../../src/features/embed/paths.ts'
import { replyKey, replyTokens } from '../../../src/features/question/reply-tokens.ts'
import { friendCodes } from '../../../src/features/referrals/codes.ts'
import { confirmationKeys } from '../../../src/keys/confirmation-keys.ts'
import { askingTokens, unsubscribeTokens } from '../../../src/keys/unsubscribe-token.ts'
import type { Pending } from '../../../src/people/pending.ts'
import type { Known } from '../../../src/people/requests.ts'
import { confirmPath, replyPath } from '../../../src/shared/api.ts'
import type { Requests } from '../../../src/store/store.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'
import { fromOurPage, openApp, postForm, signIn, subscribe } from '../../fixtures/app.ts'
import { ids, linkKey } from '../../fixtures/keys.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'

const question = { ask: 'Where?', kind: 'postcode' } as const

async function askingServer(
  requests?: Pick<Requests, 'requestConfirmation' | 'changePending' | 'lookAt'>,
) {
  const kept: [string, string, string?][] = []
  const replies = {
    keep: async (...row: [string, string, string?]) => void kept.push(row),
    keepFromLetter: async (...row: [string, string]) => void kept.push(row),
  }
  const { app, logged } = await openApp({
    question,
    store: Object.assign(storeOnFile(), { replies }),
    ofFeatures: { EMBED_ORIGINS: ['https://shop.example'] },
    ...(requests && { requests, features: { referrals: true } }),
  })
  const answer = (url: string, said?: string) =>
    app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: said === undefined ? '' : new URLSearchParams({ said }).toString(),
    })
  const signUp = async (email: string) => String((await postForm(app, { email })).headers.location)
  return { app, kept, answer, signUp, logged }
}

it('keeps what somebody answers who has just signed up, also another time', async () => {
  const { kept, answer, signUp, logged } = await askingServer()
  const url = await signUp('ada@example.com')
  const answered = await answer(url, ' sw1a 1aa')
  expect(answered.statusCode).toBe(200)
  expect(answered.body).toContain('answer-done')
  await answer(url, '80331')
  expect(kept).toEqual([
    ['ada@example.com', 'SW1A 1AA', expect.any(String)],
    ['ada@example.com', '80331', expect.any(String)],
  ])
  expect(logged()).not.toMatch(/ada@example|80331/)
})

it('keeps each answer with the key of its own sign-up, and answers in the same bytes', async () => {
  const { app, kept, answer, signUp } = await askingServer()
  const first = await signUp('ada@example.com')
  const second = await signUp('ada@example.com')
  expect(second).toHaveLength(first.length)
  expect(await signUp('a-much-longer-address@somewhere.example.com')).toHaveLength(first.length)
  const [mine, theirs] = [await answer(first, '80331'), await answer(second, '10115')]
  expect(theirs.body).toBe(mine.body)
  expect(theirs.headers).toEqual({ ...mine.headers, date: theirs.headers.date })
  expect(kept).toEqual([
    ['ada@example.com', '80331', expect.any(String)],
    ['ada@example.com', '10115', expect.any(String)],
  ])
  expect(new Set(kept.map(([, , key]) => key)).size).toBe(2)
  const shown = await Promise.all([first, second].map((url) => app.inject({ url })))
  expect(shown[0]?.body).toBe(shown[1]?.body)
})

it('answers a sign-up with signs of a robot in the same bytes', async () => {
  const { app, answer } = await askingServer()
  const robot = await subscribe(app, await signIn(app), 'ada@example.com')
  const theirs = await answer(`${replyPath}/${robot.json().answer}`, '10115')
  const url = String((await postForm(app, { email: 'ada@example.com' })).headers.location)
  expect((await answer(url, '80331')).body).toBe(theirs.body)
})

it('changes nothing by a GET, and by no token but ours of the last hour', async () => {
  const { app, kept, answer, signUp } = await askingServer()
  const url = await signUp('ada@example.com')
  expect((await app.inject({ url })).body).toContain('answer-ask')
  const forged = `${url.slice(0, -2)}${url.endsWith('AA') ? 'BB' : 'AA'}`
  const anHourAgo = replyTokens(linkKey, () => Date.now() - 3_600_001)
  const old = anHourAgo.seal({ email: 'ada@example.com', key: replyKey() })
  const wrong = [forged, `${replyPath}/${'A'.repeat(5000)}`, `${replyPath}/${old}`]
  for (const one of wrong)
    for (const { statusCode, body } of [
      await app.inject({ url: one }),
      await answer(one, '80331'),
    ]) {
      expect(statusCode).toBe(410)
      expect(body).toContain('answer-ended')
    }
  expect(kept).toEqual([])
})

it('keeps by its address id what somebody answers from their own letter, and only a POST does', async () => {
  const { app, kept, answer, logged } = await askingServer()
  const id = ids.of('ada@example.com')
  const token = askingTokens(linkKey, 'question').sign(id)
  const url = `${replyPath}/${token}`
  const asked = await app.inject({ url })
  expect(asked).toMatchObject({ statusCode: 200, body: expect.stringContaining('answer-letter') })
  expect(asked.headers['cache-control']).toBe('no-store')
  await app.inject({ method: 'HEAD', url })
  expect((await answer(url)).statusCode).toBe(422)
  expect(kept).toEqual([])
  expect((await answer(url, '80331')).body).toContain('answer-done')
  expect(kept).toEqual([[id, '80331']])
  expect(logged()).not.toContain(token.slice(0, 22))

  // A link of another letter answers nothing, nor one that has lost its end.
  const wrong = [
    ...[unsubscribeTokens(linkKey), askingTokens(linkKey, 'still-interested')].map((one) =>
      one.sign(id),
    ),
    ...[token.slice(0, -1), ''],
  ]
  for (const one of wrong)
    for (const { statusCode, body } of [
      await app.inject({ url: `${replyPath}/${one}` }),
      await answer(`${replyPath}/${one}`, '10115'),
    ]) {
      expect(statusCode).toBe(404)
      expect(body).toContain('answer-broken')
    }
  for (const other of ['unsubscribe', 'still-interested'])
    expect((await app.inject({ method: 'POST', url: `/${other}/${token}` })).statusCode).toBe(404)
  expect(kept).toHaveLength(1)
})

it('asks again after what is no answer', async () => {
  const { kept, answer, signUp } = await askingServer()
  const url = await signUp('ada@example.com')
  for (const said of ['', '?', 'x'.repeat(300), undefined]) {
    const { statusCode, body } = await answer(url, said)
    expect(statusCode).toBe(422)
    expect(body).toContain('answer-wrong')
  }
  expect(kept).toEqual([])
})

it('asks whoever has to confirm once they have, and not before; they may answer again, and their link stays', async () => {
  const askedAt = new Date()
  const pending: Pending = {
    email: 'ada@example.com',
    askedAt,
    letters: 1,
    shown: { words: '', page: '', language: 'en' },
  }
  const found = { pending, mailbox: [], isOnList: false, standing: undefined, consent: undefined }
  let now: Known = found
  const { kept, answer } = await askingServer({
    requestConfirmation: async () => {},
    changePending: async (_id, decide) => decide(now, new Date()).result,
    lookAt: async (_id, see) => see(now, new Date()),
  })
  const id = ids.of('ada@example.com')
  const url = `${confirmPath}/${confirmationKeys(linkKey).sign(id, askedAt)}`
  expect((await answer(url, '80331')).statusCode).toBe(410)
  expect(kept).toEqual([])
  now = { ...found, pending: { ...pending, confirmedAt: new Date() } }
  const wrong = await answer(url, '?')
  expect([wrong.statusCode, wrong.body]).toEqual([422, expect.stringContaining('wrong-reply')])
  const link = `by=${friendCodes(linkKey).of(id)}"`
  expect(wrong.body).toContain(link)
  for (const said of ['sw1a 1aa', '80331'])
    expect((await answer(url, said)).body).toMatch(new RegExp(`id="replied".*${link}`))
  expect(kept).toEqual([
    [id, 'SW1A 1AA'],
    [id, '80331'],
  ])
})

it('leads a form without script to the question, here and on another site', async () => {
  const { app, kept, answer } = await askingServer()
  const here = await postForm(app, { email: 'ada@example.com' }, fromOurPage)
  expect(here.statusCode).toBe(303)
  const there = await app.inject({
    method: 'POST',
    url: joinPaths.join,
    headers: {
      origin: 'https://shop.example',
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: new URLSearchParams({ email: 'bob@example.com' }).toString(),
  })
  expect(there.statusCode).toBe(303)
  for (const { headers } of [here, there]) {
    const url = String(headers.location)
    expect(url).toMatch(/^\/answer\/[\w-]{200,}$/)
    expect((await app.inject({ url })).headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    await answer(url, '80331')
  }
  expect(kept).toEqual([
    ['ada@example.com', '80331', expect.any(String)],
    ['bob@example.com', '80331', expect.any(String)],
  ])
})

it('leads the script of another site to the question, alike for known and new', async () => {
  const { app, kept, answer } = await askingServer()
  const join = async () =>
    app.inject({
      method: 'POST',
      url: joinPaths.join,
      headers: {
        origin: 'https://shop.example',
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams({ email: 'ada@example.com' }).toString(),
    })
  const [first, second] = [await join(), await join()]
  expect(second.statusCode).toBe(first.statusCode)
  expect(second.body).toHaveLength(first.body.length)
  for (const { body } of [first, second]) await answer(JSON.parse(body).answer, '80331')
  expect(kept).toEqual(Array(2).fill(['ada@example.com', '80331', expect.any(String)]))
  expect(new Set(kept.map(([, , key]) => key)).size).toBe(2)
})

it('thanks nobody before their answer is kept', async () => {
  const { kept, answer, signUp } = await askingServer()
  const url = await signUp('ada@example.com')
  kept.push = () => {
    throw new StoreUnavailable('It is away.')
  }
  const answered = await answer(url, '80331')
  expect([answered.statusCode, answered.body.includes('answer-done')]).toEqual([503, false])
})

it('has no such path, and gives nobody a token, where the page asks nothing', async () => {
  const { app } = await openApp()
  expect((await app.inject({ url: `${replyPath}/x` })).statusCode).toBe(404)
  expect((await subscribe(app, await signIn(app), 'ada@example.com')).json()).toEqual({})
})
