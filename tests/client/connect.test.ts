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
    const answer = connect()('patient@example.com', '')
    // Of connecting, and of the whole submit.
    expect(ends.map(({ ms }) => ms)).toEqual([seconds * 1000, seconds * 1000])
    ends[1]?.end()
    expect(await answer).toBe('failed')
  },
)

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
  const early = subscribe('early@example.com', '')
  release()
  expect(await early).toBe('subscribed')
  expect(await subscribe('later@example.com', '')).toBe('subscribed')
  expect(sent).toEqual([true, false])
})
