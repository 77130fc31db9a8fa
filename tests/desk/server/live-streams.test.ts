import { EventEmitter } from 'node:events'
import { expect, it, onTestFinished, vi } from 'vitest'
import { liveEvents } from '../../../src/desk/server/live-events.ts'
import { liveStream } from '../../../src/desk/server/live-streams.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'

/** An answer whose reader is told when to read. */
function answer() {
  const written: string[] = []
  let drained = () => {}
  let isFull = false
  return {
    written,
    fill: () => {
      isFull = true
    },
    drain: () => {
      isFull = false
      drained()
    },
    write(text: string) {
      written.push(text)
      return !isFull
    },
    end() {},
    destroy: vi.fn(),
    once(_event: 'drain', then: () => void) {
      drained = then
    },
  }
}

it('keeps one event for a reader who is behind, the newest', () => {
  const to = answer()
  const stream = liveStream(to)
  stream.send('state', '1')
  to.fill()
  for (const value of ['2', '3', '4', '5']) stream.send('state', value)
  // The second filled it; no beat either is sent to somebody who does not read.
  stream.beat()
  expect(to.written.map((text) => text.match(/data: (\d)/)?.[1])).toEqual(['1', '2'])
  to.drain()
  expect(to.written.map((text) => text.match(/data: (\d)/)?.[1])).toEqual(['1', '2', '5'])
})

it('drops a reader who has read nothing for half a minute, and no other', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const [reads, silent] = [answer(), answer()]
  const streams = [reads, silent].map(liveStream)
  silent.fill()
  const beatAfter = (ms: number) => {
    vi.advanceTimersByTime(ms)
    for (const stream of streams) stream.beat()
  }
  // The first one fills the connection of the silent one.
  beatAfter(0)
  beatAfter(30_000)
  expect(silent.destroy).not.toHaveBeenCalled()
  beatAfter(1)
  expect(silent.destroy).toHaveBeenCalledOnce()
  expect(reads.destroy).not.toHaveBeenCalled()
})

/** The events of a desk whose topic `today`, and `letter:launch`, read this. */
function livePages(
  read: () => Promise<unknown> = async () => 1,
  log: object = {},
  againMs?: (state: unknown) => number,
) {
  const listeners = new Set<() => void>()
  const watch = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const live = liveEvents({ store: { watch }, log: log as never, build: 'x' })
  live.topic('today', { read, ...(againMs && { againMs }) })
  live.topics('letter', (name) => (name === 'launch' ? { read } : undefined))
  type Route = (request: object, reply: object) => void
  let route: Route = () => {}
  live.route({
    get: (_path: string, handler: Route) => {
      route = handler
    },
  } as never)
  return {
    watches: () => listeners.size,
    /** The store changes. */
    change: () => {
      for (const listener of listeners) listener()
    },
    /** Opens a stream. @returns what ends it, and its events so far. */
    open(id: string, of = 'today') {
      const written: string[] = []
      const write = (text: string) => written.push(text) > 0
      const raw = Object.assign(new EventEmitter(), { writeHead() {}, write })
      route({ query: { of }, desk: { id } }, { hijack() {}, getHeaders: () => ({}), raw })
      return {
        end: () => void raw.emit('close'),
        beats: () => written.filter((text) => text.startsWith(':')).length,
        events: () =>
          written.flatMap((text) => /^event: (.*)\ndata: (.*)\n\n$/.exec(text)?.slice(1) ?? []),
      }
    },
  }
}

it.each(['today', 'letter:launch'])(
  'sends a page what %s is, at once and after each change, and says where it cannot be read',
  async (of) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    let count = 0
    const { open, change } = livePages(async () => {
      count += 1
      if (count === 3) throw new StoreUnavailable('away')
      return { count }
    })
    const { events } = open('mine', of)
    await vi.advanceTimersByTimeAsync(1)
    expect(events()).toEqual(['build', '"x"', 'state', '{"count":1}'])
    change()
    await vi.advanceTimersByTimeAsync(1000)
    change()
    await vi.advanceTimersByTimeAsync(1000)
    expect(events().slice(4)).toEqual(['state', '{"count":2}', 'away', 'null'])
    // It is read again by itself.
    await vi.advanceTimersByTimeAsync(2000)
    expect(events().slice(8)).toEqual(['state', '{"count":4}'])
    expect(() => open('mine', 'letter:other')).toThrow('no such events')
    expect(() => open('mine', 'nothing')).toThrow('no such events')
  },
)

it('counts a stream off when it ends, so that live pages can be opened for ever', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { open, watches } = livePages()
  for (let round = 0; round < 3; round += 1) {
    const mine = Array.from({ length: 25 }, () => open('mine').end)
    expect(() => open('mine')).toThrow('too many pages')
    const others = Array.from({ length: 15 }, () => open('another').end)
    expect(() => open('a third')).toThrow('too many pages')
    expect(watches()).toBe(1)
    mine.pop()?.()
    others.push(open('mine').end)
    for (const end of [...mine, ...others]) end()
    expect(watches()).toBe(0)
  }
})

it('reads no more once nobody looks, and anew for who comes back', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let reads = 0
  const { open } = livePages(async () => {
    reads += 1
    return reads
  })
  const [one, other] = [open('mine'), open('mine')]
  await vi.advanceTimersByTimeAsync(1000)
  one.end()
  const before = reads
  await vi.advanceTimersByTimeAsync(21_000)
  expect(reads).toBe(before + 1)
  other.end()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(reads).toBe(before + 1)
  const { events } = open('mine')
  await vi.advanceTimersByTimeAsync(1)
  expect(events().slice(2)).toEqual(['state', String(before + 2)])
})

it('reads again as soon as its state says, and each twenty seconds at the latest', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let reads = 0
  const read = async () => {
    reads += 1
    return reads
  }
  const waits = [5000, 60_000, 60_000]
  const { open } = livePages(read, {}, () => waits.shift() ?? 60_000)
  open('mine')
  const readsIn = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    return reads
  }
  // Each read is followed by a pause of 300 ms.
  expect(await readsIn(5200)).toBe(1)
  expect(await readsIn(200)).toBe(2)
  expect(await readsIn(20_100)).toBe(2)
  expect(await readsIn(200)).toBe(3)
})

it('spends a fifth of the time on reading at most, however often the store changes', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let reads = 0
  const { open, change } = livePages(async () => {
    reads += 1
    await new Promise((resolve) => setTimeout(resolve, 1000))
    return reads
  })
  open('mine')
  for (let second = 0; second < 49; second += 1) {
    change()
    await vi.advanceTimersByTimeAsync(1000)
  }
  expect(reads).toBe(10)
})

it('keeps its connections open while nothing changes, and says a fault in the log alone', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const errors: unknown[] = []
  const fault = new Error('a fault')
  const { open } = livePages(() => Promise.reject(fault), {
    error: (...said: unknown[]) => errors.push(said),
  })
  const { events, beats } = open('mine')
  await vi.advanceTimersByTimeAsync(1)
  expect(events().slice(2)).toEqual(['away', 'null'])
  expect(errors).toEqual([[{ err: fault }, 'no events of today']])
  await vi.advanceTimersByTimeAsync(30_000)
  expect(beats()).toBe(3)
})
