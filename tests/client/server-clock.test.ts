import { expect, it } from 'vitest'
import { aheadBy } from '../../src/client/server-clock.ts'

const NOW = Date.UTC(2026, 10, 22, 12)

it.each([
  ['a clock that may be right', 0, 0, 0, 300, 0],
  ['one that was right by the answer before', 400, 0, 0, 300, 400],
  ['one that is late', 0, 90_000, 0, 300, 90_350],
  ['one that is early', 0, -90_000, 0, 300, -89_650],
  ['one that was put right meanwhile', 90_000, 0, 0, 300, 350],
])('the server is ahead of %s', (_which, known, said, asked, answered, ahead) => {
  expect(aheadBy(known, NOW + said, NOW + asked, NOW + answered)).toBe(ahead)
})

it('an answer without a time says nothing', () => {
  expect(aheadBy(5, Number.NaN, NOW, NOW)).toBe(5)
})

it('the seconds of a clock that is right go on evenly, whatever the answers say of theirs', () => {
  let ahead = 0
  for (let at = NOW; at < NOW + 60_000; at += 1700) {
    const second = Math.floor((at + 120) / 1000) * 1000
    ahead = aheadBy(ahead, second, at, at + 240)
    expect(ahead).toBe(0)
  }
})
