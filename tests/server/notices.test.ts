/** @module-tag thorough */
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { signUpAsPeopleDo } from '../fixtures/people-sign-up.ts'
import {
  type Answering,
  answering,
  isSigned,
  startReceiver,
  takes,
  webhookSecret,
} from '../fixtures/receiver.ts'
import { startRelay } from '../fixtures/relay.ts'
import { startSite } from '../fixtures/running-site.ts'
import { withCopyOfServer } from '../fixtures/server-copy.ts'
import { visitor } from '../fixtures/spawned-server.ts'

const copy = withCopyOfServer()

async function site(env: Record<string, string>) {
  const found = await startSite({ root: copy(), env })
  onTestFinished(() => found.stop())
  return found
}

describe('the server', () => {
  it('tells of the first sign-up everywhere, once, though it was killed before anybody listened', async () => {
    let answer: Answering = answering(503)
    const receiver = await startReceiver(() => answer, { path: '/TOP-SECRET' })
    const relay = await startRelay()
    onTestFinished(() => relay.close())
    const server = await site({
      NOTIFY_URL: receiver.url,
      NOTIFY_SECRET: webhookSecret,
      NOTIFY_MAIL: 'you@example.com',
      SMTP_URL: relay.url,
      MAIL_FROM: 'hello@example.org',
    })
    expect(await signUpAsPeopleDo(server.url, 'first@example.com')).toBe(201)
    // What came of it is written down, so that nobody waits for the end of a lease.
    await expect.poll(server.log).toContain('Notices cannot reach 127.0.0.1')
    await expect.poll(() => relay.accepted.length).toBe(1)
    await server.kill()
    answer = takes
    await server.restart()
    await expect.poll(() => receiver.told().length, { timeout: 20_000 }).toBe(1)
    expect(receiver.told()).toMatchObject([{ type: 'subscribers.reached', data: { number: 1 } }])
    expect(receiver.requests.every((request) => isSigned(request))).toBe(true)
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(1)
    expect(relay.accepted).toHaveLength(1)
    expect(server.log()).not.toMatch(/TOP-SECRET|whsec_|@example/)
    const kept = new DatabaseSync(server.databaseFile, { readOnly: true })
    const rows = ['queue', 'notes'].map((table) => kept.prepare(`SELECT * FROM ${table}`).all())
    kept.close()
    expect(JSON.stringify(rows)).not.toMatch(/TOP-SECRET|127\.0\.0\.1|@example/)
  })

  it('writes nothing down where nobody is told, and nobody asked for events', async () => {
    const server = await site({})
    const signUp = await visitor(server.url)
    expect(await signUp('first@example.com')).toBe(201)
    const kept = new DatabaseSync(server.databaseFile, { readOnly: true })
    expect(kept.prepare('SELECT * FROM queue').all()).toEqual([])
    const names = kept
      .prepare('SELECT name FROM notes')
      .all()
      .map(({ name }) => String(name))
    expect(names.filter((name) => /^alarm:|^eventFeed$/.test(name))).toEqual([])
    kept.close()
  })
})
