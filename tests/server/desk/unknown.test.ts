/** @module-tag thorough */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deskCookieName } from '../../fixtures/desk-cookie.ts'
import { type Answer, askAt, deskOf, startDeskSite } from '../../fixtures/desk-site.ts'
import { childrenOf } from '../../fixtures/processes.ts'
import { type RunningSite, startSite } from '../../fixtures/running-site.ts'
import { isLong } from '../../torture/form.ts'

const NOWHERE = '/nosk'

/** A path that is as long, and leads nowhere. */
const nowhere = (path: string) => path.replace('/desk', NOWHERE)

const paths = [
  ...['/desk', '/desk/', '/desk?x=1', '/desk/people', '/desk/people/abc', '/desk/letters'],
  ...['/desk/access', '/desk/events', '/desk/sign-in', '/desk/sign-in/options'],
  ...['/desk/access/end', '/desk/files/main.js', '/desk/files/'],
  ...['/desk/../desk', '/desk//', '/desk/%2e%2e', '/desk/%', '/desk/%C3%A9', '/deskx', '/DESK'],
  `/desk/${'a'.repeat(65)}`,
  `/desk/${'A'.repeat(43)}${'-'.repeat(22)}`,
  `/desk/${'x'.repeat(3000)}`,
]

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']

const cookies = [
  undefined,
  ...['desk=', 'desk=x', `desk=${'a'.repeat(65)}`, `desk=${'a'.repeat(64)}`, 'desk=a; desk=b'],
  ...[`__Host-desk=${'a'.repeat(65)}`, 'desk=\u00ff; x'],
  ...['; ;=;desk', `desk="${'a'.repeat(65)}"`, `session=x; desk=${'-'.repeat(65)}`],
]

/** All of an answer, but for its date and the path that it was asked for. */
function withoutDate({ status, rawHeaders, body }: Answer) {
  const headers = rawHeaders.map((one, i) =>
    rawHeaders[i - 1]?.toLowerCase() === 'date' ? '' : one,
  )
  return JSON.stringify({ status, headers, body })
}

/**
 * @param turn of a cookie: the short form asks each path by two methods of six, others for each cookie,
 *   so that each two of the three meet.
 */
async function expectUnknown(origin: string, cookie: string | undefined, turn = 0) {
  for (const [m, method] of methods.entries())
    for (const [p, path] of paths.entries()) {
      if (!isLong && (m + p + turn) % 3 !== 0) continue
      const headers = {
        accept: method === 'GET' ? 'text/html' : '*/*',
        'x-desk-by': 'session',
        'x-desk-id': 'a session',
        ...(cookie !== undefined && { cookie: Buffer.from(cookie).toString('latin1') }),
      }
      const [of, as] = await Promise.all([
        askAt(origin, path, { method, headers }),
        askAt(origin, nowhere(path), { method, headers }),
      ])
      if (withoutDate(of) !== withoutDate(as))
        expect(withoutDate(of), `${method} ${path} ${cookie}`).toBe(withoutDate(as))
    }
}

describe('the desk, to who has no session', () => {
  /** For two tests, the second of which opens the desk. */
  let site: RunningSite
  beforeAll(async () => {
    site = await startSite()
  })
  afterAll(() => site.stop())

  it('is at no path: each answers byte for byte as one that leads nowhere', async () => {
    const name = await deskOf(site).withStore(async (_, linkKey) => deskCookieName(linkKey))
    for (const [turn, cookie] of cookies.entries())
      await expectUnknown(site.url, cookie?.replaceAll('desk', name), turn)
    expect(childrenOf(site.pid())).toEqual([])
  })

  it('is at no path either for a session and a link that were', async () => {
    const { site, link, open, session, withStore } = await startDeskSite()
    const { cookie } = await session()
    const { path, code } = await link()
    await open(path, code)
    // As swept, or of another data folder.
    await withStore((store) =>
      store.desk.change(() => ({
        result: undefined,
        state: { links: [], sessions: [] },
      })),
    )
    await expectUnknown(site.url, cookie)
    for (const method of ['GET', 'POST'])
      expect(withoutDate(await askAt(site.url, path, { method }))).toBe(
        withoutDate(await askAt(site.url, `${NOWHERE}${path.slice(5)}`, { method })),
      )
  })

  it('runs no process and loads none of its code until somebody opens it', async () => {
    const { link, session, ask, withStore } = deskOf(site)
    await ask('/')
    await ask('/desk')
    const { cookie } = await session()
    expect(childrenOf(site.pid())).toEqual([])
    // A link that is printed starts nothing either.
    await link()
    await ask('/desk', { headers: { cookie: `${cookie}x` } })
    expect(childrenOf(site.pid())).toEqual([])
    await Promise.all(Array.from({ length: 100 }, () => ask('/desk', { headers: { cookie } })))
    expect(childrenOf(site.pid())).toHaveLength(1)
    expect(await withStore((store) => store.list.count())).toBe(0)
  })
})
