import { EventEmitter } from 'node:events'
import { expect, it, onTestFinished, vi } from 'vitest'
import { liveEvents } from '../../../src/desk/server/live-events.ts'
import { liveStream } from '../../../src/desk/server/live-streams.ts'

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
    destroy() {},
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

it('counts a stream off when it ends, so that live pages can be opened for ever', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let watches = 0
  const watch = () => {
    watches += 1
    return () => {
      watches -= 1
    }
  }
  const live = liveEvents({ store: { watch }, log: {} as never, build: 'x' })
  live.topic('today', { read: async () => 1 })
  type Route = (request: object, reply: object) => void
  let route: Route = () => {}
  live.route({
    get: (_path: string, handler: Route) => {
      route = handler
    },
  } as never)
  /** Opens one. @returns what ends it. */
  const open = (id: string) => {
    const raw = Object.assign(new EventEmitter(), { writeHead() {}, write: () => true })
    route({ query: { of: 'today' }, desk: { id } }, { hijack() {}, getHeaders: () => ({}), raw })
    return () => void raw.emit('close')
  }
  for (let round = 0; round < 3; round += 1) {
    const mine = Array.from({ length: 25 }, () => open('mine'))
    expect(() => open('mine')).toThrow('too many pages')
    const others = Array.from({ length: 15 }, () => open('another'))
    expect(() => open('a third')).toThrow('too many pages')
    expect(watches).toBe(1)
    mine.pop()?.()
    others.push(open('mine'))
    for (const end of [...mine, ...others]) end()
    expect(watches).toBe(0)
  }
})
