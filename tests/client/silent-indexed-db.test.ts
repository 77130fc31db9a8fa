import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { hideSilentIndexedDb } from '../../src/client/silent-indexed-db.ts'
import { paths } from '../../src/shared/api.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.doUnmock('../../src/client/firebase-client.ts')
})

/** A database of the browser that does this when it is opened. */
function stub(open: (request: Record<string, unknown>) => void) {
  const request = { result: { close() {} } } as Record<string, unknown>
  const own = {
    open() {
      open(request)
      return request
    },
  }
  vi.stubGlobal('indexedDB', own)
  return own
}

const later = (end: (request: Record<string, unknown>) => unknown) => (request: object) =>
  void queueMicrotask(() => (end(request as Record<string, unknown>) as () => void)())

it('a database that never answers who opens it is hidden after three seconds', async () => {
  const own = stub(() => {})
  const hidden = hideSilentIndexedDb()
  await vi.advanceTimersByTimeAsync(2900)
  expect(globalThis.indexedDB).toBe(own)
  await vi.advanceTimersByTimeAsync(100)
  await hidden
  expect(globalThis.indexedDB).toBeUndefined()
})

it.each([
  ['opens', later((request) => request.onsuccess)],
  ['says why not', later((request) => request.onerror)],
  [
    'throws',
    () => {
      throw new DOMException('It is forbidden.', 'SecurityError')
    },
  ],
])('one that %s stays', async (_how, open) => {
  const own = stub(open)
  await hideSilentIndexedDb()
  expect(globalThis.indexedDB).toBe(own)
})

it("Firebase's library begins only then", async () => {
  stub(() => {})
  vi.stubEnv('MODE', 'firebase')
  vi.stubGlobal('navigator', { userAgent: '' })
  vi.stubGlobal('fetch', async (url: string) =>
    Response.json(url === paths.config ? { mode: 'firebase' } : {}),
  )
  const found: unknown[] = []
  vi.doMock('../../src/client/firebase-client.ts', () => ({
    firebaseClient() {
      found.push(globalThis.indexedDB)
      return { signIn: async () => {}, subscribe: async () => 'subscribed' }
    },
  }))
  const answer = connect()({ email: 'silent@example.com' })
  await vi.waitFor(() =>
    vi.advanceTimersByTimeAsync(3000).then(() => expect(found).toHaveLength(1)),
  )
  expect(await answer).toBe('subscribed')
  expect(found).toEqual([undefined])
})
