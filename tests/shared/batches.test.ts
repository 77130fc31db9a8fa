import { expect, it } from 'vitest'
import { batches } from '../../src/shared/batches.ts'

async function taken(items: Iterable<number>, size: number) {
  const found: number[][] = []
  for await (const batch of batches(items, size)) found.push(batch)
  return found
}

it('takes items some at a time, in their order, with what is left over at the end', async () => {
  expect(await taken([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
  expect(await taken([1, 2, 3, 4], 2)).toEqual([
    [1, 2],
    [3, 4],
  ])
  expect(await taken([1, 2], 5)).toEqual([[1, 2]])
})

it('gives no empty batch where there is nothing', async () => {
  expect(await taken([], 2)).toEqual([])
})

it('asks for no more than it gives', async () => {
  let asked = 0
  async function* endless() {
    for (;;) yield ++asked
  }
  for await (const batch of batches(endless(), 3)) {
    expect(batch).toEqual([1, 2, 3])
    break
  }
  expect(asked).toBe(3)
})
