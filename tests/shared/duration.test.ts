import { expect, it } from 'vitest'
import { duration } from '../../src/shared/duration.ts'

it('says a length of time as people say it', () => {
  const said: [number, string][] = [
    [0, '0 s'],
    [0.2, '1 s'],
    [59, '59 s'],
    [60, '1 min'],
    [3540, '59 min'],
    [3599, '1 h 0 min'],
    [11_520, '3 h 12 min'],
    [172_800, '2 days 0 h'],
    [1_000_000, '11 days 13 h'],
  ]
  for (const [seconds, words] of said) expect(duration(seconds), words).toBe(words)
})
