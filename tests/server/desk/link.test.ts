/** @module-tag thorough */
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { endAllSessions } from '../../../src/desk/access/sessions.ts'
import { TOOL_THERE } from '../../../src/desk/contract/pages.ts'
import { LINK_REMEMBERED_MS } from '../../../src/store/desk-access.ts'
import { cookieIn, deskOf, startDeskSite } from '../../fixtures/desk-site.ts'
import { childrenOf } from '../../fixtures/processes.ts'
import { type RunningSite, startSite } from '../../fixtures/running-site.ts'

const MINUTE = 60_000
/** As many bodies that have no end. */
const SLOW = 40

/** One for all tests here, each of which begins with a desk that nobody was let to. */
let site: RunningSite
const nobody = { links: [], sessions: [] }

beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())
beforeEach(() =>
  deskOf(site).withStore((store) =>
    store.desk.change(() => ({ result: undefined, state: nobody })),
  ),
)

describe('a link to the desk', () => {
  it('says that it was used, or is no longer valid, for an hour, and then is as unknown as any path', async () => {
    const { link, open, ask, withStore } = deskOf(site)
    const [used, old] = [await link(), await link()]
    await open(used.path, used.code)
    const age = (ms: number) =>
      withStore((store) =>
        store.desk.change((found) => ({
          result: undefined,
          state: {
            ...found,
            links: found.links.map(({ madeAt, until, ...one }) => ({
              ...one,
              madeAt: madeAt - ms,
              until: until - ms,
            })),
          },
        })),
      )
    await age(15 * MINUTE)
    for (const [{ path, code }, words] of [
      [used, 'was used'],
      [old, 'no longer valid'],
    ] as const)
      for (const answer of [await ask(path), await open(path, code)]) {
        expect(answer.status).toBe(410)
        expect(answer.body).toContain(words)
        expect(answer.body).not.toContain(TOOL_THERE)
      }
    await age(LINK_REMEMBERED_MS)
    const nowhere = await ask('/nowhere')
    for (const { path, code } of [used, old])
      for (const answer of [await ask(path), await open(path, code)]) {
        expect(answer.status).toBe(404)
        expect(answer.body).toBe(nowhere.body)
      }
  })

  it('keeps nothing in its file that could open the desk', async () => {
    const { link, open } = deskOf(site)
    const [one, other] = [await link(), await link()]
    const cookie = cookieIn(await open(one.path, one.code)).split('=')[1] ?? ''
    const { readFileSync, readdirSync } = await import('node:fs')
    const files = readdirSync(site.dataDir).filter((name) => name.includes('sqlite'))
    const kept = files.map((name) => readFileSync(`${site.dataDir}/${name}`, 'latin1')).join('')
    for (const secret of [one.code, other.code, one.path.slice(6), cookie])
      expect(kept.includes(secret)).toBe(false)
    // Nor in the log.
    for (const secret of [one.code, one.path.slice(6), cookie])
      expect(site.log().includes(secret)).toBe(false)
  })

  it('gives a cookie that scripts and other sites cannot have, for a week', async () => {
    const { link, open } = deskOf(site)
    const { path, code } = await link()
    const [cookie] = (await open(path, code)).headers['set-cookie'] ?? []
    expect(cookie).toMatch(
      /^desk-[\w-]{8}=[\w-]{65}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/,
    )
  })

  it('gives over https a cookie that no other site of the domain can set', async () => {
    const env = { PUBLIC_URL: 'https://example.com' }
    const { link, open } = await startDeskSite({ env })
    const { path, code } = await link()
    const answer = await open(path, code, { origin: env.PUBLIC_URL })
    expect(answer.headers['set-cookie']?.[0]).toMatch(
      /^__Host-desk-[\w-]{8}=[\w-]{65}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    )
  })

  it('keeps its cookies apart from those of another desk on the same machine', async () => {
    const [one, other] = [deskOf(site), await startDeskSite()]
    const headers = [(await one.session()).cookie, (await other.session()).cookie]
    // A browser sends those of one host to each of its ports.
    for (const cookie of [headers.join('; '), headers.toReversed().join('; ')])
      for (const desk of [one, other])
        expect((await desk.ask('/desk', { headers: { cookie } })).status).toBe(200)
    const names = headers.map((header) => header.split('=')[0])
    expect(new Set(names).size).toBe(2)
  })

  it('opens nothing for a post from elsewhere', async () => {
    const { link, open, sessions } = deskOf(site)
    const { path, code } = await link()
    for (const headers of [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-site' },
      { origin: 'null', 'sec-fetch-site': 'none' },
    ])
      expect((await open(path, code, headers)).status).toBe(403)
    expect(await sessions()).toEqual([])
  })
})

describe('who has the path of a link, and not its code', () => {
  it('reaches nothing behind the server, and keeps nobody out', async () => {
    const { ask, open, link, withStore, session } = deskOf(site)
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
      [ended, 'no longer valid'],
    ] as const)
      for (const answer of [await ask(path), await open(path, code), await open(path, 'x')]) {
        expect([answer.status, answer.headers['cache-control']]).toEqual([410, 'no-store'])
        expect(answer.body).toContain(words)
        expect(answer.body).not.toContain(TOOL_THERE)
      }
    expect(childrenOf(site.pid())).toEqual([])
    await expect
      .poll(async () => (await ask('/desk', { headers: await session() })).status)
      .toBe(200)
  })
})
