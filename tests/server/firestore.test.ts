/** @module-tag thorough */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import product from '../../product.config.ts'
import { unsubscribeTokens } from '../../src/keys/unsubscribe-token.ts'
import { paths } from '../../src/shared/api.ts'
import { subscribersPath } from '../../src/shared/subscriber.ts'
import { startDelayingProxy } from '../emulators/delaying-proxy.ts'
import { firestoreRest } from '../emulators/firestore-rest.ts'
import { withFirestoreEmulator } from '../emulators/with-emulators.ts'
import { fromOurPage } from '../fixtures/app.ts'
import { ids, linkKey } from '../fixtures/keys.ts'
import { ended } from '../fixtures/run.ts'
import { copyOfServer } from '../fixtures/server-copy.ts'
import { startedServer, startServer, visitor } from '../fixtures/spawned-server.ts'
import { firestoreSettings, openFirestore } from '../store/every-store.ts'

const ada = 'ada@example.com'

describe('the server on Firestore', () => {
  const emulator = withFirestoreEmulator()
  let root: string
  let project: string
  let env: Record<string, string>
  beforeEach(() => {
    root = copyOfServer()
    project = `demo-${randomUUID()}`
    env = firestoreSettings(emulator().origin, project)
  })

  /** A Firestore that may fall silent, and the settings of a server that is on it. */
  async function silenced() {
    const firestore = await startDelayingProxy(emulator().origin)
    onTestFinished(firestore.close)
    return { firestore, env: firestoreSettings(firestore.origin, project) }
  }

  const emails = async () => {
    const records = subscribersPath(product.appId).slice(1)
    const found = await firestoreRest(emulator().origin, project).list(records)
    return found.map(({ fields }) => fields.email?.stringValue)
  }

  it('keeps what it thanks for there, and nothing on its own disk', async () => {
    const { server, origin } = await startedServer(root, env)
    expect(server.output('stdout')).toContain(
      `kept in Firestore, under artifacts/${product.appId} of ${project}\n`,
    )
    expect((await fetch(`${origin}/readyz`)).status).toBe(200)
    expect(await emails()).toEqual([])
    expect(await (await visitor(origin))(ada)).toBe(201)
    expect(await emails()).toEqual([ada])
    expect(await server.end()).toBe(0)
    expect(server.output('stderr')).toBe('')
    expect(existsSync(join(root, 'data'))).toBe(false)
  })

  it("knows another server's visitors by the key that both have", { tags: 'long' }, async () => {
    const [one, other] = await Promise.all([startedServer(root, env), startedServer(root, env)])
    const signIn = await fetch(one.origin + paths.session, { method: 'POST', headers: fromOurPage })
    const cookie = String(signIn.headers.get('set-cookie')).split(';')[0] ?? ''
    const user = await signIn.json()
    const seen = await fetch(other.origin + paths.session, { headers: { cookie } })
    expect(await seen.json()).toEqual(user)
  })

  it('unsubscribes for all of them', { tags: 'long' }, async () => {
    const { origin } = await startedServer(root, env)
    const token = unsubscribeTokens(linkKey).sign(ids.of(ada))
    const answer = await fetch(`${origin}${paths.unsubscribe}/${token}`, { method: 'POST' })
    expect(answer.status).toBe(200)
    const store = openFirestore(emulator().origin, project, { appId: product.appId })
    expect(await store.standings.of(ada)).toMatchObject({ standing: 'unsubscribed' })
    await store.close()
  })

  it('says that it cannot while Firestore is silent, to everybody, and goes on after that', {
    tags: 'long',
  }, async () => {
    const { firestore, env } = await silenced()
    const { server, origin } = await startedServer(root, env)
    const subscribe = await visitor(origin)
    expect(await subscribe('before@example.com')).toBe(201)
    firestore.pause()
    try {
      const form = {
        method: 'POST',
        headers: fromOurPage,
        body: new URLSearchParams({ email: ada }),
      }
      const [status, ready, posted] = await Promise.all([
        subscribe(ada),
        fetch(`${origin}/readyz`),
        fetch(origin + paths.subscribe, form),
      ])
      expect(status).toBe(503)
      expect(ready.status).toBe(503)
      expect(posted.status).toBe(503)
      expect((await fetch(origin)).status).toBe(200)
    } finally {
      firestore.resume()
    }
    expect(await subscribe('after@example.com')).toBe(201)
    expect(server.output()).toContain('Firestore cannot be used')
    expect(server.output()).not.toContain('@')
  })

  it.for(['SESSION_KEY', 'LINK_KEY'])('does not start without %s', async (name) => {
    const { code, stderr } = await ended(startServer(root, { ...env, [name]: '' }))
    expect(code).toBe(1)
    expect(stderr).toMatch(new RegExp(`^${name}: is not set, must be at least 32 characters`))
    expect(stderr.trim()).not.toContain('\n')
    expect(existsSync(join(root, 'data'))).toBe(false)
  })
})
