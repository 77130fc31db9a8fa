import { createHash } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { checkSite } from '../../src/checks/site.ts'
import { siteNote } from '../../src/cli/words/probed.ts'
import { undocumented } from '../fixtures/report-fields.ts'

const site = new URL('https://launch.example/')
const uid = 'a-visitor'
const root = 'projects/demo/databases/(default)/documents'

const gate = 'open()'
const hash = createHash('sha256').update(gate).digest('base64')
const html = `<script id="gate">${gate}</script><div id="root">`
const policy = `default-src 'none'; script-src 'sha256-${hash}'`
const config = { mode: 'firebase', appId: 'ours', firebase: { apiKey: 'key', projectId: 'demo' } }

interface Asked {
  readonly method: string
  readonly host: string
  readonly path: string
  readonly headers: Headers
  readonly body: never
}

interface Answers {
  readonly page?: Response
  /** `null` where it does not answer. */
  readonly config?: object | string | null
  /** What Google says to a call, where that is not what it should. */
  readonly google?: (asked: Asked) => Response | undefined
}

const error = (status: number, error: object) => Response.json({ error }, { status })
const forbidden = () => error(403, { status: 'PERMISSION_DENIED', message: 'No.' })

/** Checks a page of which the web answers so. @returns what was found, and what Google was asked. */
async function checked(answers: Answers = {}, confirm = false) {
  const real = globalThis.fetch
  onTestFinished(() => {
    globalThis.fetch = real
  })
  const asked: Asked[] = []
  let written = 0
  globalThis.fetch = async (input, init = {}) => {
    const url = new URL(String(input))
    if (url.host === site.host && url.pathname === '/')
      return answers.page ?? new Response(html, { headers: { 'content-security-policy': policy } })
    if (url.host === site.host) {
      const found = answers.config === undefined ? config : answers.config
      if (found === null) throw new TypeError('fetch failed')
      return typeof found === 'string' ? new Response(found) : Response.json(found)
    }
    const one: Asked = {
      method: String(init.method),
      host: url.host.split('.')[0] ?? '',
      path: decodeURIComponent(url.pathname.replace('/v1/', '') + url.search),
      headers: new Headers(init.headers),
      body: init.body ? JSON.parse(String(init.body)) : undefined,
    } as Asked
    asked.push(one)
    const said = answers.google?.(one)
    if (said) return said
    if (one.path.startsWith('accounts:signUp'))
      return Response.json({ idToken: 'token', localId: uid })
    if (one.path.startsWith('accounts:delete')) return Response.json({})
    // Its own record, once it has signed in.
    if (one.path.includes(':commit') && one.headers.has('authorization') && written++ === 0)
      return Response.json({})
    return forbidden()
  }
  const found = await checkSite(site, 'ours', confirm)
  const notes = found.map(siteNote)
  expect(undocumented('check-site', { title: '', parts: [{ part: 'notes', notes }] })).toEqual([])
  return { found, asked }
}

const codes = (found: Awaited<ReturnType<typeof checked>>['found']) =>
  found.filter(({ verdict }) => verdict !== 'fine').map(({ code }) => code)

it('asks as anybody could who has read the page: with its key and its address, and then as its visitor', async () => {
  const { found, asked } = await checked()
  expect(codes(found)).toEqual([])
  expect(found.filter(({ code }) => code === 'shows')).toEqual([{ code: 'shows', verdict: 'fine' }])
  expect(asked.every(({ path }) => path.includes('key=key'))).toBe(true)
  expect(asked.every(({ headers }) => headers.get('referer') === site.href)).toBe(true)
  const [unsigned, signIn, ...signedIn] = asked
  expect(unsigned?.headers.get('authorization')).toBeNull()
  expect(signIn).toMatchObject({ host: 'identitytoolkit', body: { returnSecureToken: true } })
  const signOff = signedIn.pop()
  expect(signOff).toMatchObject({ path: 'accounts:delete?key=key', body: { idToken: 'token' } })
  expect(signOff?.headers.get('authorization')).toBeNull()
  for (const { headers } of signedIn) expect(headers.get('authorization')).toBe('Bearer token')
})

it('says what Google answered where it lets no visitor in, or takes no sign-up, and asks no more', async () => {
  const refusing = (path: string, message: string, more: object = {}) =>
    checked({
      google: (one) =>
        one.path.startsWith(path) && one.headers.has('authorization') === path.includes('commit')
          ? error(400, { status: 'INVALID_ARGUMENT', message, ...more })
          : undefined,
    })
  const details = [{ reason: 7 }, { reason: 'API_KEY_INVALID' }]
  const signIn = await refusing('accounts:signUp', 'ADMIN_ONLY', { details })
  expect(signIn.found.at(-1)).toMatchObject({
    code: 'turned-away',
    verdict: 'fatal',
    step: 'sign-in',
    site: site.href,
    answer: { status: 400, problem: 'ADMIN_ONLY', reason: 'API_KEY_INVALID ADMIN_ONLY' },
  })
  expect(signIn.asked.at(-1)?.path).not.toContain('commit')
  const signUp = await refusing(`${root}:commit`, 'Nothing there.')
  expect(signUp.found.at(-1)).toMatchObject({
    step: 'sign-up',
    answer: { status: 400, problem: 'INVALID_ARGUMENT', reason: 'Nothing there.' },
  })
  // The visitor is deleted all the same.
  expect(signUp.asked.at(-1)?.path).toContain('accounts:delete')
  const odd = () => Response.json({ error: { status: 7, details: 'x' } }, { status: 500 })
  const strange = await checked({ google: odd })
  expect(strange.found.at(-1)).toMatchObject({ answer: { status: 500, problem: '7', reason: '' } })
  const silent = await checked({
    google: () => {
      throw new TypeError('fetch failed')
    },
  })
  expect(silent.found.at(-1)).toMatchObject({ answer: { status: 0, problem: 'nothing' } })
})

it('tells a page that is away from another page, and from one without its headers or its settings', async () => {
  const fatal = async (answers: Answers) => (await checked(answers)).found.at(-1)
  expect(await fatal({ page: new Response('', { status: 404 }) })).toEqual({
    code: 'away',
    verdict: 'fatal',
    site: site.href,
    status: 404,
  })
  for (const [page, code] of [
    [new Response('<p>Hello'), 'other-page'],
    [new Response(html), 'headers-missing'],
    [
      new Response(html, { headers: { 'content-security-policy': "default-src 'none'" } }),
      'headers-missing',
    ],
    [
      new Response(html, { headers: { 'content-security-policy': `script-src '${hash}'` } }),
      'headers-missing',
    ],
  ] as const)
    expect((await checked({ page })).found.filter(({ verdict }) => verdict === 'problem')).toEqual([
      { code, verdict: 'problem' },
    ])
  for (const [given, why] of [
    [{ mode: 'embedded' }, 'own-server'],
    [{ ...config, firebase: { apiKey: 'key' } }, 'none'],
    [{ ...config, firebase: { projectId: 'demo' } }, 'none'],
    [{ mode: 'other', firebase: config.firebase }, 'none'],
    ['no JSON', 'none'],
    [null, 'silent'],
  ] as const)
    expect(await fatal({ config: given })).toMatchObject({ code: 'no-configuration', why })
  expect(await fatal({ config: { ...config, appId: 'theirs' } })).toEqual({
    code: 'other-app',
    verdict: 'fatal',
    there: 'theirs',
    wanted: 'ours',
  })
})

/** Answers that no emulator gives, as Google documents them. */
it.each([
  ['sign-in', 400, 'ADMIN_ONLY_OPERATION', '', /^ADMIN_ONLY_OPERATION: enable Anonymous/],
  [
    'sign-in',
    400,
    'INVALID_ARGUMENT',
    'API_KEY_INVALID API key not valid. Please pass one.',
    /: the API key is not valid: .* \(Google: API_KEY_INVALID API key not/,
  ],
  [
    'sign-in',
    403,
    'PERMISSION_DENIED',
    'API_KEY_HTTP_REFERRER_BLOCKED Requests from referer <empty> are blocked.',
    /: the API key is not for this page: add https:\/\/\S+\/\* to/,
  ],
  [
    'sign-up',
    403,
    'PERMISSION_DENIED',
    'API_KEY_SERVICE_BLOCKED Requests to this API are blocked.',
    /: the API key is not for this API: allow it .* Cloud Firestore/,
  ],
  [
    'sign-up',
    403,
    'PERMISSION_DENIED',
    'SERVICE_DISABLED Enable it by visiting https://console.example/',
    /: the API is disabled in this project: enable it \(Google: .*https:/,
  ],
  [
    'sign-up',
    400,
    'FAILED_PRECONDITION',
    'The Cloud Firestore API is not available for Firestore in Datastore Mode database projects/x.',
    /: the database is in Datastore mode, for good/,
  ],
  [
    'sign-up',
    404,
    'NOT_FOUND',
    'The database (default) does not exist for project x',
    /^NOT_FOUND: create the database \(default\)/,
  ],
  [
    'sign-in',
    401,
    'UNAUTHENTICATED',
    'Firebase App Check token is invalid.',
    /: App Check is enforced/,
  ],
] as const)(
  'at %s, says what to do where Google answers %i %s: %s',
  (step, status, problem, reason, words) => {
    const answer = { status, problem, reason }
    const turnedAway = { code: 'turned-away', verdict: 'fatal', step, site: site.href, answer }
    const { label: what, text: detail } = siteNote(turnedAway as never)
    expect(what).toBe(step === 'sign-in' ? 'Sign-in' : 'Sign-up')
    expect(detail.replace('Google answered ', '')).toMatch(words)
  },
)
