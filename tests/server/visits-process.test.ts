/** @module-tag thorough */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { copyOfServer } from '../fixtures/server-copy.ts'
import { startedServer, visitor } from '../fixtures/spawned-server.ts'

const headers = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
}

async function open(env: Record<string, string> = {}, blocks?: string) {
  const root = copyOfServer()
  const file = join(root, 'data/subscribers.sqlite')
  const start = () => startedServer(root, { DATA_DIR: join(root, 'data'), ...env }, blocks)
  const { server, origin } = await start()
  await expect.poll(() => existsSync(file)).toBe(true)
  const visit = async (query = '') => (await fetch(`${origin}/${query}`, { headers })).status
  function lock() {
    const db = new DatabaseSync(file, { timeout: 10_000 })
    db.exec('BEGIN IMMEDIATE')
    const free = () => db.isOpen && db.close()
    onTestFinished(() => void free())
    return free
  }
  function counted(): number {
    const db = new DatabaseSync(file, { timeout: 10_000 })
    const row = db.prepare('SELECT sum(first) AS n FROM visits').get()
    db.close()
    return Number(row?.n)
  }
  return { server, origin, visit, lock, counted, start }
}

describe('visits, in a server of its own', () => {
  it('are kept when it is asked to end', async () => {
    const { server, visit, counted } = await open()
    for (let i = 0; i < 10; i += 1) await visit()
    server.signalGroup('SIGTERM')
    await server.ended
    expect(counted()).toBe(10)
  })

  it('are on file within about a second, where a kill does not reach them', async () => {
    const { server, visit, counted } = await open()
    for (let i = 0; i < 10; i += 1) await visit()
    await expect.poll(counted, { timeout: 10_000 }).toBe(10)
    await visit()
    server.signalGroup('SIGKILL')
    await server.ended
    expect([10, 11]).toContain(counted())
  })

  it('keep nobody waiting while somebody else has the file, and are kept when it is free', {
    tags: 'long',
  }, async () => {
    const { server, visit, lock, counted } = await open()
    const free = lock()
    // Longer than a sign-up waits for a lock.
    const until = performance.now() + 3000
    let visits = 0
    while (performance.now() < until) {
      expect(await visit()).toBe(200)
      visits += 1
    }
    free()
    await expect.poll(counted, { timeout: 10_000 }).toBe(visits)
    // Two programs that write to one file are nothing to be told of.
    expect(server.output('stderr')).toBe('')
  })

  it('fail no page on a full disk, and cost no sign-up', { tags: 'long' }, async () => {
    const { server, origin, visit } = await open({}, '700')
    const signUp = await visitor(origin)
    let status = 201
    for (let i = 0; status === 201; i += 1) {
      expect(await visit(`?ref=${'x'.repeat(50)}${i}`)).toBe(200)
      status = await signUp(`${'y'.repeat(60)}${i}@example.com`)
    }
    expect(status).toBe(503)
    for (let i = 0; i < 20; i += 1) expect(await visit(`?ref=${i}`)).toBe(200)
    server.signalGroup('SIGTERM')
    expect(await server.ended).toBe(0)
    expect(server.output('stderr')).toMatch(/cannot be used/)
  })
})
