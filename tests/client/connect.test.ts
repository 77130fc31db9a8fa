import { afterEach, expect, it, vi } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { paths } from '../../src/shared/api.ts'

const DESK = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0.0.0 Safari/537.36'
const PHONE = 'Mozilla/5.0 (Linux; Android 16; Pixel 9) Chrome/150.0.0.0 Mobile Safari/537.36'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it.each([
  ['on a desk', { userAgent: DESK }, 30],
  ['on a phone', { userAgent: PHONE }, 60],
  ['on one that says so apart', { userAgent: DESK, userAgentData: { mobile: true } }, 60],
])(
  'a server that does not answer is waited for %s, but not for longer',
  async (_where, browser, seconds) => {
    const ends: { ms: number; end: () => void }[] = []
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const controller = new AbortController()
      ends.push({ ms, end: () => controller.abort(new DOMException('over', 'TimeoutError')) })
      return controller.signal
    })
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    vi.spyOn(console, 'error').mockImplementation(() => {})
    vi.stubGlobal('navigator', browser)
    vi.stubGlobal('fetch', (_url: string, { signal }: { signal: AbortSignal }) => {
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      )
    })
    const answer = connect()({ email: 'patient@example.com' })
    // Of connecting, of the whole submit, and of the API alone.
    expect(ends.map(({ ms }) => ms)).toEqual([1, 1, 0.5].map((share) => share * seconds * 1000))
    ends[2]?.end()
    ends[1]?.end()
    expect(await answer).toBe('failed')
  },
)

function unauthorised() {
  return Response.json({ error: 'no-session' }, { status: 401 })
}

/** A server that answers each path with what is given for it, as JSON. @returns what it was sent. */
function play(answers: Readonly<Record<string, () => Response | Promise<Response>>>) {
  const sent: { path: string; body: unknown }[] = []
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.stubGlobal('navigator', { userAgent: DESK })
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method === 'POST' && body) sent.push({ path, body })
    const answer = answers[`${method} ${path}`] ?? answers[path]
    if (!answer) throw new TypeError('Failed to fetch')
    return answer()
  })
  return sent
}

const configured = { [paths.config]: () => Response.json({ mode: 'embedded' }) }
const nobody = { [paths.session]: () => Response.json({ user: null }) }
const added = () => Response.json({}, { status: 201 })
const api = { ...nobody, [paths.subscribers]: added }
const json =
  (body: unknown, status = 200) =>
  () =>
    Response.json(body, { status })
const blockPage = (status: number) => () =>
  new Response('<!doctype html>', { status, headers: { 'content-type': 'text/html' } })

it.each([
  ['sends no session back', { ...configured, ...nobody, [paths.subscribers]: unauthorised }],
  ['refuses the session', { ...configured, [paths.subscribers]: added }],
  ['refuses the API', configured],
  ['refuses only the list', { ...configured, ...nobody }],
  ['refuses the configuration', api],
  ['answers for the configuration', { [paths.config]: blockPage(200) }],
  ['hides the configuration', { ...api, [paths.config]: json({ mode: 'embedded' }, 503) }],
  ['empties the configuration', { ...api, [paths.config]: json(null) }],
  ['says what no page knows', { ...api, [paths.config]: json({ mode: 'telepathy' }) }],
  ['answers for the session', { ...configured, [paths.session]: blockPage(403) }],
  ['answers for the list', { ...configured, ...nobody, [paths.subscribers]: blockPage(403) }],
  ['answers well for the list', { ...configured, ...nobody, [paths.subscribers]: blockPage(200) }],
  ['answers as we do', { ...configured, ...nobody, [paths.subscribers]: blockPage(201) }],
])('where a browser or a filter %s, the page goes the way of the form', async (_what, answers) => {
  const sent = play({ ...answers, [paths.subscribe]: added })
  expect(await connect(() => 0)({ email: 'ada@example.com', comment: '', isOpen: 'true' })).toBe(
    'subscribed',
  )
  const { path, body } = sent.at(-1) ?? {}
  expect(path).toBe(paths.subscribe)
  expect(Object.fromEntries(body as URLSearchParams)).toEqual({
    ...{ email: 'ada@example.com', comment: '', isOpen: 'true' },
    ...{ isLate: 'true', openFor: expect.stringMatching(/^\d+$/) },
  })
})

it.each([paths.config, paths.session, paths.subscribers])(
  'and where a filter swallows %s, after half of its time',
  async (swallowed) => {
    let over = () => {}
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const controller = new AbortController()
      if (ms === 15_000) over = () => controller.abort(new DOMException('over', 'TimeoutError'))
      return controller.signal
    })
    const swallow = { [swallowed]: () => new Promise<Response>(() => {}) }
    const known = { ...configured, ...nobody, [paths.subscribers]: added }
    const sent = play({ ...known, ...swallow, [paths.subscribe]: added })
    const plain = fetch
    vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) =>
      Promise.race([
        plain(url, init),
        new Promise((_, reject) =>
          init.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
        ),
      ]),
    )
    const answer = connect()({ email: 'ada@example.com' })
    await new Promise(setImmediate)
    over()
    expect(await answer).toBe('subscribed')
    expect(sent.at(-1)?.path).toBe(paths.subscribe)
  },
)

it.each([
  ['invalid-email', () => Response.json({}, { status: 422 })],
  ['database-unavailable', () => Response.json({}, { status: 503 })],
  ['failed', () => Response.json({}, { status: 429 })],
  // What is no answer of ours says nothing of the visitor, who is told what was wrong before.
  ['database-unavailable', blockPage(200)],
  ['database-unavailable', blockPage(404)],
])('and says how that ended: %s', async (outcome, answer) => {
  play({ [paths.subscribe]: answer })
  expect(await connect()({ email: 'ada@example.com' })).toBe(outcome)
})

it.each([422, 429, 503, 403, 500])(
  'does not go there where our server itself answers %i',
  async (status) => {
    const refuse = () => Response.json({}, { status })
    const sent = play({ ...configured, ...nobody, [paths.subscribers]: refuse })
    await connect()({ email: 'ada@example.com' })
    expect(sent.map(({ path }) => path)).toEqual([paths.subscribers])
  },
)

it('says for how long the form could be used', async () => {
  const sent = play({ ...configured, ...nobody, [paths.subscribers]: added })
  await connect(() => performance.now() - 4321)({ email: 'ada@example.com' })
  expect(JSON.parse(String(sent[0]?.body)).openFor).toBeGreaterThanOrEqual(4321)
})

it('whose session comes only while they wait says so, and nobody else', async () => {
  const sent: unknown[] = []
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  vi.stubGlobal('navigator', { userAgent: DESK })
  vi.stubGlobal('fetch', async (url: string, { body }: { body?: string }) => {
    if (url === paths.session) await released
    if (body) sent.push((JSON.parse(body) as { isLate?: boolean }).isLate)
    const json = url === paths.config ? { mode: 'embedded' } : { user: { uid: 'one' } }
    return Response.json(json, { status: url === paths.subscribers ? 201 : 200 })
  })
  const subscribe = connect()
  const early = subscribe({ email: 'early@example.com' })
  release()
  expect(await early).toBe('subscribed')
  expect(await subscribe({ email: 'later@example.com' })).toBe('subscribed')
  expect(sent).toEqual([true, false])
})
