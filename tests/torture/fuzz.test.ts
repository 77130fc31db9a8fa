/** @module-tag thorough */
import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { joinPaths } from '../../src/features/embed/paths.ts'
import { confirmationKeys } from '../../src/keys/confirmation-keys.ts'
import { unsubscribeTokens } from '../../src/keys/unsubscribe-token.ts'
import { connectionLimits } from '../../src/server/http/connection-limits.ts'
import { confirmPath, paths } from '../../src/shared/api.ts'
import { openApp, signIn } from '../fixtures/app.ts'
import { answer } from '../fixtures/confirming.ts'
import { ids, linkKey } from '../fixtures/keys.ts'
import { restorePending } from '../fixtures/restore-pending.ts'
import { storeOnFile } from '../fixtures/store-on-file.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { inputs } from './addresses.ts'
import { amount, report, seed } from './form.ts'
import { hostileBytes } from './fuzz/bytes.ts'
import { asked, askedAt, CANARY, hostileRequests, otherSite } from './fuzz/requests.ts'

const SECRET = 'a secret beside what is served'

type TargetOptions = Parameters<typeof openApp>[0] & { readonly asks?: boolean }

/** The server on a real file, with things beside the page that nobody may read. */
async function openTarget({ asks = false, ...overrides }: TargetOptions = {}) {
  const root = tempDir()
  mkdirSync(join(root, 'data'))
  for (const file of ['package.json', '.env', 'data/link.key'])
    writeFileSync(join(root, file), SECRET)
  const file = join(root, 'data', 'subscribers.sqlite')
  const store = storeOnFile(file)
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  const question = { ask: 'Why?', kind: 'text' } as const
  const requests = asks && { requests: store.requests }
  const opened = await openApp({
    root,
    store,
    suppressions: store.standings,
    question,
    ...requests,
    ...overrides,
  })
  return { ...opened, store, unhandled }
}

/** The same where confirmation is on and some were asked. Half of them pressed both buttons: only a code helps. */
async function openAsking(overrides: Parameters<typeof openApp>[0] = {}) {
  const opened = await openTarget({ ...overrides, asks: true })
  const shown = { words: 'Notify Me', page: 'a1', language: 'en' }
  await restorePending(
    opened.store,
    asked.map((email, i) => ({
      email,
      askedAt,
      shown,
      letters: 1,
      lastLetterAt: askedAt,
      messageId: '<1@example.com>',
      letterDigest: 'a1',
      ...(i % 2 && { yesAt: askedAt, noAt: askedAt }),
    })),
  )
  return opened
}

/** Whatever was asked: no fault of ours, nothing that is secret, and no markup of somebody else's. */
function expectSafe(status: number, headers: object, body: string) {
  expect(status).toBeLessThan(500)
  expect(body).not.toContain(SECRET)
  expect(body).not.toContain(`<${CANARY}`)
  expect(JSON.stringify(headers)).not.toContain(CANARY)
}

/** A form of another site leads to that site or to us, whatever it names, and takes no address along. */
function expectHome(location = '') {
  const { origin, search } = new URL(location, 'https://example.com')
  expect(['https://example.com', otherSite]).toContain(origin)
  expect(location).not.toMatch(/[\r\n]/)
  expect(decodeURIComponent(search)).not.toContain('@')
}

for (const [confirmation, open] of [
  ['off', openTarget],
  ['on', openAsking],
] as const)
  it(`no request makes a 500, a fault, or a line with what was sent, confirmation ${confirmation}`, async (context) => {
    const { app, store, logged, unhandled } = await open({
      trustProxy: ['loopback'],
      publicUrl: 'https://example.com',
      ofFeatures: { EMBED_ORIGINS: [otherSite] },
    })
    const signedIn = await signIn(app)
    const cases = amount(1000, 100_000)
    const statuses = new Map<number, number>()
    const pagesOfConfirming = new Set<string>()
    const request = fc.tuple(hostileRequests, fc.boolean())
    await fc.assert(
      fc.asyncProperty(request, async ([{ method, url, headers, body }, withCookie]) => {
        const cookie = withCookie ? { cookie: signedIn.cookie } : {}
        const answer = await app.inject({
          method: method as 'GET',
          url: url as '/',
          headers: { ...cookie, ...headers },
          // A client sends no body with these two.
          ...(method !== 'GET' && method !== 'HEAD' && { payload: body }),
        })
        const { statusCode } = answer
        statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
        if (url === joinPaths.join && statusCode === 303) expectHome(answer.headers.location)
        else expectSafe(statusCode, answer.headers, answer.body)
        const [, step] = /^<p id="([\w-]+)"><\/p>$/.exec(answer.body) ?? []
        const isOfLetter = url.startsWith(`${confirmPath}/`) && !step?.startsWith('answer-')
        if (isOfLetter && step) pagesOfConfirming.add(step)
      }),
      { seed, numRuns: cases },
    )
    expect(unhandled).toEqual([])
    expect(logged()).not.toContain(CANARY)
    // Some of it must have come through, or nothing was tried.
    const { waiting } = await store.requests.counts()
    if (confirmation === 'off') expect(await store.list.count()).toBeGreaterThan(0)
    else {
      expect(waiting).toBeGreaterThan(0)
      expect(pagesOfConfirming).toEqual(new Set(['ask', 'code', 'wrong', 'ended', 'unavailable']))
      // Nobody is on the list who did not confirm, and nothing of this did.
      expect(await store.list.count()).toBe(0)
    }
    report(context, {
      done: `hostile requests to every route, confirmation ${confirmation}`,
      times: cases,
      result: `no 500, no unhandled rejection, nothing of it in the log (${said(statuses)})`,
    })
  })

it('no bytes on a connection do either, and the next client is served', async (context) => {
  const limits = { ...connectionLimits, headersMs: 200, requestMs: 400, silenceMs: 600 }
  const { app, logged, unhandled } = await openAsking({ limits })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const cases = amount(300, 20_000)
  const statuses = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(fc.array(hostileBytes, { minLength: 16, maxLength: 16 }), async (clients) => {
      const answers = await Promise.all(clients.map((pieces) => exchange(port, pieces)))
      for (const answer of answers) {
        for (const [, status] of answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
          statuses.set(Number(status), (statuses.get(Number(status)) ?? 0) + 1)
          expectSafe(Number(status), {}, answer)
        }
      }
      expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
    }),
    { seed, numRuns: Math.ceil(cases / 16) },
  )
  expect(unhandled).toEqual([])
  expect(logged()).not.toContain(CANARY)
  // Some of it must have been answered, or nothing was tried.
  const answered = [...statuses.values()].reduce((sum, times) => sum + times, 0)
  expect(answered).toBeGreaterThan(cases / 4)
  report(context, {
    done: 'hostile bytes on real connections: pipelined, cut anywhere, damaged, no HTTP at all',
    times: cases,
    result: `no 500, no unhandled rejection, the next client served (${said(statuses)})`,
  })
})

/** Writes the pieces, then says that it is done. @returns all that the server answered. */
function exchange(port: number, pieces: Buffer[]): Promise<string> {
  return new Promise((resolve) => {
    let heard = ''
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, async () => {
      for (const piece of pieces) {
        if (!socket.writable) return
        await new Promise((written) => socket.write(piece, written))
      }
      socket.end()
    })
    socket.setEncoding('latin1').on('data', (text) => {
      heard += text
    })
    socket.on('error', () => {}).on('close', () => resolve(heard))
  })
}

it('no other site signs anybody up, whatever it makes a browser send', async (context) => {
  const { app, store } = await openTarget({ ofFeatures: { EMBED_ORIGINS: [otherSite] } })
  const { cookie } = await signIn(app)
  const cases = amount(500, 20_000)
  const elsewhere = fc.oneof(
    fc.webUrl().map((url) => ({ origin: new URL(url).origin })),
    fc.constantFrom(
      ...[{}, { origin: 'null' }, { origin: '' }, { origin: 'http://localhost.evil.example' }],
      ...[{ origin: 'http://evil.example/localhost' }, { origin: 'http://localhost@evil.example' }],
      ...[
        { origin: 'http://localhost:81' },
        { origin: 'ftp://localhost' },
        { origin: 'localhost' },
      ],
    ),
    fc
      .constantFrom('cross-site', 'same-site', 'none', '', 'SAME-ORIGIN', 'same-origin, cross-site')
      .map((site) => ({ 'sec-fetch-site': site, origin: 'http://localhost' })),
  )
  await fc.assert(
    fc.asyncProperty(elsewhere, hostileRequests, async (from, { headers, body }) => {
      const {
        origin: _o,
        host: _h,
        'sec-fetch-site': _s,
        'x-forwarded-host': _x,
        ...rest
      } = headers
      const sent = { ...rest, ...from, cookie, host: 'localhost' }
      for (const url of [paths.subscribers, paths.subscribe, paths.session, joinPaths.join]) {
        const answer = await app.inject({ method: 'POST', url, headers: sent, payload: body })
        // A form that cannot say where it stands gets our page, whose press is one of ours.
        const isUnnamed = url === joinPaths.join && sent.origin === 'null'
        if (!isUnnamed || answer.statusCode !== 200)
          expect(answer.statusCode).toBeGreaterThanOrEqual(400)
        expect(answer.headers['set-cookie']).toBeUndefined()
      }
    }),
    { seed, numRuns: cases },
  )
  expect(await store.list.count()).toBe(0)
  report(context, {
    done: "sign-ups and sign-ins as another site's",
    times: 4 * cases,
    result: 'every one refused, nobody added',
  })
})

it('no cookie but our own is a session, and no link but our own unsubscribes', async (context) => {
  const unsubscribed: string[] = []
  const unsubscribe = async (addressId: string) => void unsubscribed.push(addressId)
  const suppressions = { unsubscribe, stayInterested: unsubscribe }
  const { app } = await openTarget({ suppressions })
  const cases = amount(500, 20_000)
  const { cookie } = await signIn(app)
  // Our own are taken, or what follows would say nothing.
  const ours = unsubscribeTokens(linkKey).sign(ids.of('ada@example.com'))
  await app.inject({ method: 'POST', url: `${paths.unsubscribe}/${ours}` })
  expect(unsubscribed.splice(0)).toEqual([ids.of('ada@example.com')])
  const own = await app.inject({ url: paths.session, headers: { cookie } })
  expect(own.json()).not.toEqual({ user: null })
  const changed = fc
    .tuple(fc.nat(), fc.integer({ min: 1, max: 61 }))
    .map(([at, by]) => changeCharacter(cookie, 'session='.length + (at % (cookie.length - 8)), by))
  const forged = fc.oneof(
    changed,
    fc
      .tuple(fc.uuid(), fc.stringMatching(/^[\w-]{43}$/))
      .map((parts) => `session=${parts.join('.')}`),
    inputs.map((text) => `session=${encodeURIComponent(text.toWellFormed())}`),
  )
  await fc.assert(
    fc.asyncProperty(forged, fc.stringMatching(/^[\w-]{44}$/), async (cookie, token) => {
      const answer = await app.inject({ url: paths.session, headers: { cookie } })
      expect(answer.json()).toEqual({ user: null })
      const done = await app.inject({ method: 'POST', url: `${paths.unsubscribe}/${token}` })
      expect(done.statusCode).toBe(404)
    }),
    { seed, numRuns: cases },
  )
  expect(unsubscribed).toEqual([])
  report(context, {
    done: 'forged cookies and unsubscribe links',
    times: 2 * cases,
    result: 'none was taken for ours',
  })
})

it('no link and no code but our own confirms', async (context) => {
  const { app, store } = await openAsking()
  const keys = confirmationKeys(linkKey)
  const [email = '', other = ''] = asked
  const addressId = ids.of(email)
  const token = keys.sign(addressId, askedAt)
  const code = keys.code(addressId, askedAt)
  const press = (behind: string, fields: Record<string, string>) =>
    answer(app, `${confirmPath}/${behind}`, fields)
  // Our own are taken, or what follows would say nothing.
  const othersId = ids.of(other)
  expect(
    await press(keys.sign(othersId, askedAt), { code: keys.code(othersId, askedAt) }),
  ).toMatchObject({
    page: 'done',
  })
  expect(await store.list.count()).toBe(1)
  const cases = amount(500, 20_000)
  const forgedLinks = fc.oneof(
    fc
      .tuple(fc.nat(42), fc.integer({ min: 1, max: 61 }))
      .map(([at, by]) => changeCharacter(token, at, by)),
    fc.stringMatching(/^[\w-]{52}$/),
    // What an unsubscribe link carries is signed too, but for something else.
    fc.constantFrom(
      unsubscribeTokens(linkKey).sign(addressId),
      addressId,
      keys.sign(othersId, askedAt).slice(0, 22) + token.slice(22),
      keys.sign(addressId, new Date(+askedAt + 1)),
      `${token}${askedAt.getTime().toString(36)}`,
    ),
    // Two dots alone would be a way out of the folder.
    inputs.map((text) => `x${encodeURIComponent(text.toWellFormed())}`),
  )
  const forgedCodes = fc
    .oneof(
      fc.stringMatching(/^\d{6}$/),
      fc.constantFrom(keys.code(othersId, askedAt), keys.code(addressId, new Date(+askedAt + 1))),
      fc.constantFrom('', `${code}0`, code.slice(1), `${code},${code}`, `+${code}`, `${code}\0`),
      inputs,
    )
    .filter((given) => given.replace(/[\s-]/g, '') !== code)
  await fc.assert(
    fc.asyncProperty(forgedLinks, forgedCodes, async (link, given) => {
      expect(await press(link, { answer: 'yes' })).toMatchObject({ statusCode: 410, page: 'ended' })
      expect(await press(link, { code })).toMatchObject({ statusCode: 410, page: 'ended' })
      expect(await press(token, { code: given })).toMatchObject({ statusCode: 422, page: 'wrong' })
      // There are five tries at a code; here everyone is the first.
      await store.requests.changePending(addressId, ({ pending }) => ({
        result: undefined,
        ...(pending && { pending: { ...pending, wrongCodes: 0 } }),
      }))
    }),
    { seed, numRuns: cases },
  )
  expect(await store.list.count()).toBe(1)
  // And ours was there to be guessed all the while.
  expect((await press(token, { code })).page).toBe('done')
  report(context, {
    done: 'forged confirmation links and codes',
    times: 3 * cases,
    result: 'none was taken for ours',
  })
})

/** Another letter or digit in one place. The last of a signature has bits that mean nothing. */
function changeCharacter(text: string, at: number, by: number): string {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
  const old = letters.indexOf(text[at] ?? '')
  return text.slice(0, at) + letters[(Math.max(old, 0) + by) % letters.length] + text.slice(at + 1)
}

function said(statuses: ReadonlyMap<number, number>): string {
  return [...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, times]) => `${status}: ${times.toLocaleString('en')}`)
    .join(', ')
}
