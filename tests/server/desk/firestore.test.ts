/** @module-tag long */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { endAllSessions, makeLink } from '../../../src/desk/access/sessions.ts'
import { withFirestoreEmulator } from '../../emulators/with-emulators.ts'
import { askAt, cookieIn } from '../../fixtures/desk-site.ts'
import { homeInFirestore } from '../../fixtures/home.ts'
import { startedServer } from '../../fixtures/spawned-server.ts'

const root = join(import.meta.dirname, '../../..')

describe('the desk on Firestore', () => {
  const emulator = withFirestoreEmulator()

  it('opens with a link, once, at once, and ends within seconds, on every server', async () => {
    const home = await homeInFirestore(emulator().origin)
    const [one, other] = await Promise.all([
      startedServer(root, { ...home.env, LOG_LEVEL: 'warn' }),
      startedServer(root, { ...home.env, LOG_LEVEL: 'warn' }),
    ])
    const { path, secret } = await makeLink(home.store.desk, home.linkKey)
    const post = () =>
      askAt(one.origin, `/desk/${path}`, {
        method: 'POST',
        headers: {
          origin: one.origin,
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: `code=${secret}`,
      })
    const answers = await Promise.all(Array.from({ length: 10 }, post))
    const [opened, ...more] = answers.filter(({ status }) => status === 303)
    expect(more).toEqual([])
    if (!opened) throw new Error('nobody was let in')
    const headers = { cookie: cookieIn(opened) }
    // What the servers have read a moment ago knows no such session yet.
    for (const { origin } of [one, other]) {
      const answer = await askAt(origin, '/desk', { headers })
      expect(answer.status).toBe(200)
    }
    await endAllSessions(home.store.desk)
    for (const { origin } of [one, other])
      await expect
        .poll(() => askAt(origin, '/desk', { headers }).then(({ status }) => status))
        .toBe(404)
    await home.store.close()
  })
})
