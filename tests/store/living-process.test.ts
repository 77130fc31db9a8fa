import { expect, it } from 'vitest'
import { beginOf, isAlive } from '../../src/store/living-process.ts'
import { neglected } from '../fixtures/zombie.ts'

it('takes a process that has ended for dead, also where its parent never asks how', async () => {
  const { pid, end } = await neglected()
  expect(isAlive(pid)).toBe(true)
  await end()
  expect(isAlive(pid)).toBe(false)
  // The system still has its number.
  expect(process.kill(pid, 0)).toBe(true)
})

it('takes a number that another process has by now for a dead one', (context) => {
  const begin = beginOf(process.pid)
  if (begin === undefined) context.skip('there is no /proc')
  expect(isAlive(process.pid, begin)).toBe(true)
  expect(isAlive(process.pid, String(Number(begin) - 1))).toBe(false)
})

it('knows a process by its number alone where nothing says when it began', () => {
  expect(isAlive(process.pid)).toBe(true)
  expect(isAlive(2 ** 22 + 1)).toBe(false)
})
