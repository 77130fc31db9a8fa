/** @module-tag long */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { deskHeaders } from '../../src/desk/contract/visitor.ts'
import { deskCsrf, deskTokens } from '../../src/keys/desk-tokens.ts'
import { deskPad } from '../desk/server/letters/desk-pad.ts'
import { askAt, startDeskSite } from '../fixtures/desk-site.ts'
import { childrenOf } from '../fixtures/processes.ts'
import { person } from '../store/contracts/people.ts'
import { amount, report, seed } from './form.ts'
import { deskRequests, deskRoutes } from './fuzz/desk-requests.ts'
import { CANARY, type HostileRequest } from './fuzz/requests.ts'

const PEOPLE = 7
const fromHere = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }

it('no request makes a 500 at the desk, sends a letter, opens the page or erases anybody', async (context) => {
  const { pad, desk: at, write } = await deskPad(PEOPLE)
  await write()
  const { desk, store, csrf, inside, logged } = at
  for (const url of deskRoutes)
    expect(
      desk.hasRoute({ method: 'GET', url }) || desk.hasRoute({ method: 'POST', url }),
      url,
    ).toBe(true)
  const cases = amount(1500, 100_000)
  const statuses = new Map<number, number>()
  const who = fc.constantFrom('session', 'session', 'session', 'no token', 'link')
  await fc.assert(
    fc.asyncProperty(
      deskRequests(pad.ids.of(person(1).email)),
      who,
      async ({ method, url, headers, body }, by) => {
        const answer = await desk.inject({
          method: method as 'GET',
          url: url as '/',
          headers: {
            ...inside,
            ...fromHere,
            ...headers,
            ...(by === 'session' && { 'x-csrf': csrf }),
            ...(by === 'link' && { [deskHeaders.by]: by }),
          },
          ...(method !== 'GET' && method !== 'HEAD' && { payload: body }),
        })
        const { statusCode } = answer
        expect(statusCode, `${method} ${url}`).toBeLessThan(500)
        statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
        expect(String(answer.headers.location ?? '')).not.toMatch(/@|%40/)
        // Without a session nothing is said of anybody.
        if (by === 'link') expect(answer.body).not.toContain('@example.com')
      },
    ),
    { seed, numRuns: cases },
  )
  expect(logged()).not.toContain(CANARY)
  expect(pad.relay.read).toEqual([])
  expect(await store.ledger.announcements()).toEqual([])
  expect(await store.opening.get()).toBeUndefined()
  expect(await store.list.count()).toBe(PEOPLE)
  // Some of it must have come through, or nothing was tried.
  for (const status of [200, 303, 404, 409]) expect(statuses.get(status)).toBeGreaterThan(0)
  report(context, {
    done: 'hostile requests to every route of the desk, with a session and a link',
    times: cases,
    result: 'no 500, nothing sent, opened or erased, nothing of it in the log',
  })
})

it('no request without a session finds the desk, and none with a token makes a 500 on its way', {
  timeout: amount(60_000, 600_000),
}, async (context) => {
  const { site, session, link, withStore } = await startDeskSite()
  const cases = amount(150, 5_000)
  const ask = (url: string, { method, headers, body }: Omit<HostileRequest, 'url'>) =>
    askAt(site.url, url, {
      method,
      body,
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    })
  const outside = ({ status, body }: { status: number | undefined; body: string }) => [status, body]
  await fc.assert(
    fc.asyncProperty(deskRequests('nobody'), async ({ url, ...more }) => {
      const nowhere = await ask(url.replace('/desk', '/nosk'), more)
      expect(outside(await ask(url, more)), url).toEqual(outside(nowhere))
    }),
    { seed, numRuns: cases },
  )
  expect(childrenOf(site.pid())).toEqual([])

  const { cookie } = await session()
  const { path } = await link()
  const csrf = await withStore(async (_, linkKey) => {
    const id = String(deskTokens(linkKey).idOf('session', cookie.split('=')[1] ?? ''))
    return deskCsrf(linkKey)(id)
  })
  const tokens = [
    { cookie, 'x-csrf': csrf },
    { cookie: `${cookie.split('=')[0]}=${path.slice(6)}` },
  ]
  const statuses = new Set<number | undefined>()
  await fc.assert(
    fc.asyncProperty(
      deskRequests('nobody'),
      fc.constantFrom(...tokens),
      fc.boolean(),
      async ({ url, headers, ...more }, token, isLink) => {
        const ours = { origin: site.url, 'sec-fetch-site': 'same-origin' }
        const sent = { ...more, headers: { ...headers, ...ours, ...token } }
        const { status, body } = await ask(isLink ? path : url, sent)
        expect(status, `${more.method} ${url}`).toBeLessThan(500)
        expect(body).not.toContain(`<${CANARY}`)
        statuses.add(status)
      },
    ),
    { seed, numRuns: cases },
  )
  expect(statuses).toContain(200)
  expect(site.log()).not.toContain(CANARY)
  report(context, {
    done: 'the same through the server: without a session, and with each token',
    times: 2 * cases,
    result: 'answered as any unknown path is, and without a 500',
  })
})
