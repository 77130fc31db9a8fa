import { describe, expect, it } from 'vitest'
import { askingTokens, unsubscribeTokens } from '../../../src/keys/unsubscribe-token.ts'
import { openApp } from '../../fixtures/app.ts'
import { ids, linkKey } from '../../fixtures/keys.ts'

const ada = ids.of('ada@example.com')
const token = askingTokens(linkKey, 'still-interested').sign(ada)
const url = `/still-interested/${token}`

describe('the button of a letter that asks who is still interested', () => {
  it('shows a page, and notes nothing, when a program that checks mail opens it', async () => {
    const { app, stayed } = await openApp()
    const answer = await app.inject({ url })
    expect(answer).toMatchObject({ statusCode: 200, body: '<p id="ask"></p>' })
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    expect(answer.cookies).toEqual([])
    await app.inject({ method: 'HEAD', url })
    for (const method of ['PUT', 'DELETE', 'OPTIONS'] as const)
      expect((await app.inject({ method, url })).statusCode).toBe(404)
    expect(stayed).toEqual([])
  })

  it('notes the yes when it is pressed, as a form without script posts it', async () => {
    const { app, stayed, unsubscribed, logged } = await openApp({
      publicUrl: 'https://example.com',
      rateLimit: 1,
    })
    const press = {
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'null' },
      payload: '',
    } as const
    for (let i = 0; i < 3; i += 1)
      expect(await app.inject(press)).toMatchObject({ statusCode: 200, body: '<p id="done"></p>' })
    expect(stayed).toEqual([ada, ada, ada])
    expect(unsubscribed).toEqual([])
    expect(logged()).not.toContain(token.slice(0, 22))
  })

  it('is no unsubscribe link, and an unsubscribe link says no yes', async () => {
    const { app, stayed, unsubscribed } = await openApp()
    const other = unsubscribeTokens(linkKey).sign(ada)
    const key = Buffer.from('another key than the one of these tests')
    for (const wrong of [
      `/still-interested/${other}`,
      `/unsubscribe/${token}`,
      `/still-interested/${askingTokens(key, 'still-interested').sign(ada)}`,
      `${url.slice(0, -1)}`,
      '/still-interested/',
    ])
      for (const method of ['GET', 'POST'] as const)
        expect(await app.inject({ method, url: wrong })).toMatchObject({
          statusCode: 404,
          body: '<p id="broken"></p>',
        })
    expect([...stayed, ...unsubscribed]).toEqual([])
  })

  it('answers alike for an address that is on no list', async () => {
    const { app } = await openApp()
    const stranger = askingTokens(linkKey, 'still-interested').sign(ids.of('stranger@example.com'))
    const answers = await Promise.all(
      [url, `/still-interested/${stranger}`].map((one) =>
        app.inject({ method: 'POST', url: one }).then(({ statusCode, body, headers }) => {
          const { date: _, ...others } = headers
          return { statusCode, body, others }
        }),
      ),
    )
    expect(answers[1]).toEqual(answers[0])
  })
})
