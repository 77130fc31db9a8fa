import type { FastifyInstance } from 'fastify'
import { expect, it } from 'vitest'
import { browser, openApp, openSince, postForm, subscribe } from '../fixtures/app.ts'
import { ids } from '../fixtures/keys.ts'
import { storeOnFile } from '../fixtures/store-on-file.ts'

const speak = (app: FastifyInstance, payload: object, headers: Record<string, string>) =>
  subscribe(app, headers, undefined, { payload })

async function openInLanguages(languages: readonly string[] | undefined) {
  const store = storeOnFile()
  const { app } = await openApp({ store, languages })
  const languageOf = (name: string) =>
    store.requests.changePending(ids.of(`${name}@example.com`), ({ language: result }) => ({
      result,
    }))
  return { app, languageOf }
}

it('keeps the language that the page was in, with script and without', async () => {
  const { app, languageOf } = await openInLanguages(['en', 'ar'])
  await speak(app, { email: 'ada@example.com', language: 'ar' }, openSince(60_000))
  await postForm(app, { email: 'bea@example.com', language: 'ar' }, openSince(60_000))
  await postForm(app, { email: 'cyd@example.com' }, openSince(60_000))
  expect(await Promise.all(['ada', 'bea', 'cyd'].map(languageOf))).toEqual(['ar', 'ar', undefined])
})

it('takes a language that is not offered for none', async () => {
  const { app, languageOf } = await openInLanguages(['en', 'ar'])
  const odd = ['de', 'AR', '', '__proto__', 'x'.repeat(1000)]
  for (const [i, language] of odd.entries()) {
    const answer = await postForm(app, { email: `odd-${i}@example.com`, language }, browser)
    expect(answer.statusCode).toBe(303)
    expect(await languageOf(`odd-${i}`)).toBeUndefined()
  }
})

it('keeps none where the page has one language', async () => {
  const { app, languageOf } = await openInLanguages(undefined)
  await speak(app, { email: 'ada@example.com', language: 'en' }, openSince(60_000))
  expect(await languageOf('ada')).toBeUndefined()
})

it('answers a known address in another language exactly as a new one', async () => {
  const { app, languageOf } = await openInLanguages(['en', 'ar'])
  const headers = openSince(60_000)
  const answers = []
  for (const language of ['ar', 'en']) {
    const sent = { email: 'ada@example.com', language }
    const { statusCode, body, headers: all } = await speak(app, sent, headers)
    const { date: _, ...rest } = all
    answers.push({ statusCode, body, rest })
  }
  expect(answers[1]).toEqual(answers[0])
  expect(await languageOf('ada')).toBe('ar')
})
