import { expect, it } from 'vitest'
import { liveStream } from '../../../src/operator/desk/live-streams.ts'

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
