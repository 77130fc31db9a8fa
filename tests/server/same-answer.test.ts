import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { joinPaths } from '../../src/features/embed/paths.ts'
import { consentIn } from '../../src/people/pending.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { browser, openApp, openSince, postForm, subscribe } from '../fixtures/app.ts'
import { ids } from '../fixtures/keys.ts'
import { receipt } from '../fixtures/receipt.ts'
import { restorePending } from '../fixtures/restore-pending.ts'
import { restoreKnown } from '../fixtures/restored.ts'
import { takenIn } from '../fixtures/taken-in.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const at = new Date(Date.UTC(2026, 0, 1))
const shown = { words: 'Notify Me', page: 'a1', language: 'en' }
const origin = 'https://blog.example.com'

/** How an address comes to stand so. */
const ways: Record<string, (store: Store, email: string) => Promise<unknown>> = {
  new: async () => {},
  subscribed: (store, email) => store.list.add(email),
  pending: (store, email) => restorePending(store, [{ email, askedAt: at, shown, letters: 1 }]),
  async confirmed(store, email) {
    await store.list.add(email)
    await restoreKnown(store, [{ addressId: ids.of(email), extra: { consent: receipt(at) } }])
  },
  quarantined: (store, email) => store.list.add(email, { suspicion: 'hidden-field' }),
  async unsubscribed(store, email) {
    await store.list.add(email)
    await store.standings.unsubscribe(ids.of(email))
  },
  async bounced(store, email) {
    await store.list.add(email)
    await store.standings.set([{ email, standing: 'bounced' }])
  },
  async forgotten(store, email) {
    await store.list.add(email)
    await store.standings.forget(email)
  },
}

/** How each stands in the store. Where it is not on the list, nor kept off it, it is pending or new. */
async function standingOf(store: Store, email: string) {
  const entry = await store.standings.of(email)
  if (entry) return entry.standing
  for await (const one of store.requests.pending()) if (one.email === email) return 'pending'
  for await (const one of store.list.stream({ standing: 'all' }))
    if (one.email === email) return consentIn(one.extra) ? 'confirmed' : 'subscribed'
  return 'new'
}

/** Of the database, in bytes. */
const PAGE = 4096

/** All that is answered, but the time and what a cookie carries. */
function answered({ statusCode, headers, rawPayload }: LightMyRequestResponse) {
  const { date: _, 'set-cookie': cookie, ...rest } = headers
  const cookies = [cookie ?? []].flat().map((one) => one.replace(/=[^;]*/, '='))
  return JSON.stringify({ statusCode, rest, cookies, body: rawPayload.toString('hex') })
}

describe.each([
  ['on', true],
  ['off', false],
] as const)('with CONFIRM=%s', (_, isOn) => {
  it.each([
    ['the page', 201],
    ['the form without script', 303],
    ['a form on another site', 303],
  ] as const)('%s gets the same bytes, after as much work, for any address', async (by, status) => {
    const file = join(tempDir(), 'subscribers.sqlite')
    const own = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
    const store = takenIn(own)
    onTestFinished(() => store.close())
    const { app } = await openApp({
      store: own,
      suppressions: own.standings,
      ofFeatures: { EMBED_ORIGINS: [origin] },
      ...(isOn && { requests: own.requests }),
    })
    // The first write of a process writes more.
    await store.list.add('first@example.com')
    const headers = openSince(60_000)
    const answers = new Map<string, string>()
    const pages = new Map<string, number>()
    // Where the log was written back, it is filled from its beginning again.
    const log = new DatabaseSync(file)
    onTestFinished(() => log.close())
    const bytesWritten = () => statSync(`${file}-wal`).size
    for (const [way, stand] of Object.entries(ways)) {
      const email = `${way}@example.com`
      await stand(store, email)
      expect(await standingOf(store, email)).toBe(way)
      log.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      const answer = await (by === 'the page'
        ? subscribe(app, headers, email)
        : by === 'a form on another site'
          ? postForm(app, { email }, { ...browser, origin }, { url: joinPaths.join })
          : postForm(app, { email }))
      pages.set(way, Math.floor(bytesWritten() / PAGE))
      expect(answer.statusCode, way).toBe(status)
      answers.set(way, answered(answer))
    }
    const expected = answers.get('new')
    expect(Object.fromEntries(answers)).toEqual(
      Object.fromEntries(Object.keys(ways).map((way) => [way, expected])),
    )
    // Who was answered without a write would be told by the time of it.
    for (const [way, many] of pages) expect(many, way).toBe(pages.get('new'))
  })
})
