import { expect, it, onTestFinished, vi } from 'vitest'
import type { OpenedCollector } from '../../src/from-firestore/open-collector.ts'
import { collectUntilClosed } from '../../src/server/collect-until-closed.ts'
import { InboxTaken, InboxUnavailable } from '../../src/store/inbox.ts'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'

const page = { words: 'Notify me', page: 'a', language: 'en' }
const openPage = { ...page, words: 'Come in' }
const NEVER = Number.POSITIVE_INFINITY

function serverThat(does: Partial<OpenedCollector['collect']>, openAt?: string) {
  const tell = vi.fn(async () => {})
  const collect = {
    check: vi.fn(),
    toTheEnd: vi.fn(),
    tell,
    look: vi.fn(async () => NEVER),
    takeInRequests: vi.fn(async () => false),
    ...does,
  }
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const close = vi.fn(async () => {})
  const taking = collectUntilClosed({
    collector: { collect, inTurn: (work) => work(), close },
    shown: does.takeInRequests ? { page, openPage } : undefined,
    opening: { url: () => openAt },
    log,
    pauseMs: 1,
  })
  onTestFinished(taking.close)
  return { tell, log, close, taking }
}

it('a server looks when a look is due, and tells noes in between', async () => {
  const look = vi.fn(async () => (look.mock.calls.length < 3 ? 0 : NEVER))
  const { tell } = serverThat({ look })
  await expect.poll(() => tell.mock.calls.length).toBeGreaterThan(2)
  expect(look).toHaveBeenCalledTimes(3)
})

it.each([
  [undefined, page],
  ['https://app.example.com', openPage],
])(
  'a server that asks takes all requests in before it looks, as the page at %s',
  async (openAt, seen) => {
    const order: string[] = []
    const takeInRequests = vi.fn(async () => {
      order.push('requests')
      return order.length < 3
    })
    const look = async () => {
      order.push('look')
      return NEVER
    }
    serverThat({ takeInRequests, look }, openAt)
    await expect.poll(() => order.length).toBeGreaterThan(3)
    expect(order.slice(0, 4)).toEqual(['requests', 'look', 'requests', 'requests'])
    expect(takeInRequests).toHaveBeenCalledWith({ ...seen, page: 'on Firebase' }, expect.any(Date))
  },
)

it('a server tries again after an outage, and after a fault, which is logged without its words', async () => {
  const look = vi
    .fn(async () => NEVER)
    .mockRejectedValueOnce(new StoreUnavailable('away'))
    .mockRejectedValueOnce(new RangeError('ada@example.com'))
  const { tell, log } = serverThat({ look })
  await expect.poll(() => tell.mock.calls.length).toBeGreaterThan(0)
  expect(look).toHaveBeenCalledTimes(3)
  expect(log.warn.mock.calls).toEqual([['Sign-ups cannot be taken in from Firestore: RangeError']])
})

it('a server says once that another list takes in or Google is away, and again where that happens later', async () => {
  const taken = new InboxTaken('Firestore is taken in by the list on desktop.')
  const away = new InboxUnavailable('Firestore cannot be used: it cannot be reached.')
  const look = vi.fn(async () => NEVER)
  for (const cause of [taken, taken, away, away, undefined, taken])
    cause ? look.mockRejectedValueOnce(cause) : look.mockResolvedValueOnce(0)
  const { tell, log } = serverThat({ look })
  await expect.poll(() => tell.mock.calls.length).toBeGreaterThan(0)
  expect(log.error.mock.calls).toEqual([[taken.message], [away.message], [taken.message]])
  expect(log.info).toHaveBeenCalledTimes(2)
})

it('a server that closes stops the look under way, and then closes what it takes in from', async () => {
  const look = vi.fn(
    ({ signal }: { signal?: AbortSignal | undefined } = {}) =>
      new Promise<number>((done) => signal?.addEventListener('abort', () => done(NEVER))),
  )
  const { taking, close } = serverThat({ look })
  await expect.poll(() => look.mock.calls.length).toBe(1)
  expect(close).not.toHaveBeenCalled()
  await taking.close()
  expect(close).toHaveBeenCalledOnce()
})
