import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { found, look } from '../../src/checks/check.ts'

const checks = [
  { code: 'slow', probe: (on: string) => sleep(5, [found('slow', 'fine', { on })]) },
  { code: 'quick', probe: () => [found('quick', 'problem'), found('quick-too', 'note')] },
  { code: 'silent', probe: () => [] },
] as const

it('runs the checks that are picked, and finds in their order, however long each takes', async () => {
  const slow = { code: 'slow', verdict: 'fine', on: 'this' }
  const quick = [
    { code: 'quick', verdict: 'problem' },
    { code: 'quick-too', verdict: 'note' },
  ]
  expect(await look(checks, 'this')).toEqual([slow, ...quick])
  expect(await look(checks, 'this', ['quick', 'silent'])).toEqual(quick)
  expect(await look(checks, 'this', [])).toEqual([])
})

it('hides no fault of a check', async () => {
  const broken = { code: 'broken', probe: () => Promise.reject(new TypeError('it is broken')) }
  await expect(look([broken], undefined)).rejects.toThrow('it is broken')
})
