/** @module-tag thorough */
import { request } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { endAllSessions } from '../../../src/desk/access/sessions.ts'
import { startDeskSite } from '../../fixtures/desk-site.ts'
import { childrenOf } from '../../fixtures/processes.ts'

const SLOW = 40

describe('who has the path of a link, and not its code', () => {
  it('reaches nothing behind the server, and keeps nobody out', async () => {
    const { site, ask, open, link, withStore, session } = await startDeskSite()
    const [known, used, ended] = [await link(), await link(), await link()]
    expect((await open(used.path, used.code)).status).toBe(303)
    const [desk = 0] = childrenOf(site.pid())
    process.kill(desk, 'SIGKILL')
    await expect.poll(() => childrenOf(site.pid())).toEqual([])

    // Slow and broken off, at a link that is open and at one that was used.
    const slow = [known, used].flatMap(({ path }) =>
      Array.from({ length: SLOW }, () => {
        const asked = request(site.url + path, { method: 'POST', agent: false })
        asked.on('error', () => {}).write('a body that has no end')
        onTestFinished(() => void asked.destroy())
        return asked
      }),
    )
    for (const asked of slow.slice(0, SLOW / 2)) asked.destroy()
    for (const headers of [{}, { 'content-type': 'application/json' }]) {
      const wrong = await open(known.path, 'no code', headers)
      expect(wrong.status).toBe(403)
      expect(wrong.body).toContain('That is not the code')
    }
    for (const method of ['OPTIONS', 'PUT', 'DELETE'])
      expect((await ask(known.path, { method })).status).toBe(404)
    const looked = await ask(known.path)
    expect(looked.body).toContain('Open the desk')
    expect(looked.headers['content-security-policy']).toContain("script-src 'self' 'sha256-")
    const head = await ask(known.path, { method: 'HEAD' })
    expect([head.status, head.body]).toEqual([200, ''])
    // Whoever has the code opens it all the same.
    const own = await link()
    expect(childrenOf(site.pid())).toEqual([])
    await expect.poll(async () => (await open(own.path, own.code)).status).toBe(303)

    await withStore(({ desk }) => endAllSessions(desk))
    process.kill(childrenOf(site.pid())[0] ?? 0, 'SIGKILL')
    await expect.poll(() => childrenOf(site.pid())).toEqual([])
    for (const [{ path, code }, words] of [
      [used, 'was used'],
      [ended, 'too old'],
    ] as const)
      for (const answer of [await ask(path), await open(path, code), await open(path, 'x')]) {
        expect([answer.status, answer.headers['cache-control']]).toEqual([410, 'no-store'])
        expect(answer.body).toContain(words)
      }
    expect(childrenOf(site.pid())).toEqual([])
    await expect
      .poll(async () => (await ask('/desk', { headers: await session() })).status)
      .toBe(200)
  })
})
