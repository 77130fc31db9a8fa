import { describe, expect, it } from 'vitest'
import { MOST_COUNTED } from '../../../src/store/people.ts'
import { takePage } from '../../../src/store/roll/page.ts'
import { emptyRoll } from '../../../src/store/roll/roll.ts'

const row = (n: number, email = `person${n}@example.com`) => ({ id: n, at: 1000 * n, email })

function rollWith(...numbers: number[]) {
  const roll = emptyRoll()
  for (const n of numbers) roll.add(row(n))
  return roll
}

const found = (roll: ReturnType<typeof emptyRoll>, part?: string) =>
  [...roll.matching(part)].map(({ id }) => id)

describe('a roll', () => {
  it('gives those who came since in their place, in whatever order they came', () => {
    const roll = rollWith(9, 7, 5, 8, 10, 4, 6)
    expect(found(roll)).toEqual([10, 9, 8, 7, 6, 5, 4])
    expect(found(roll, 'person8')).toEqual([8])
    expect([...roll.matching('person', row(8))].map(({ id }) => id)).toEqual([7, 6, 5, 4])
    expect(roll.highest()?.id).toBe(10)
  })

  it('finds nobody any more who was dropped, and keeps no letter of them', () => {
    const roll = rollWith(9, 7, 5, 10)
    for (const { row, id } of [...roll.matching(undefined)]) if (id !== 7) roll.drop(row)
    expect(found(roll)).toEqual([7])
    expect(found(roll, 'person')).toEqual([7])
    expect(roll.highest()?.id).toBe(7)
  })

  it('finds nothing across two addresses', () => {
    const roll = emptyRoll()
    roll.add(row(2, 'ada@example.com'))
    roll.add(row(1, 'bob@example.com'))
    for (const part of ['combob', 'com\nbob', 'com\n', '\n', '\0'])
      expect(found(roll, part)).toEqual([])
  })

  it('is right with as many as make it grow, and with letters of several bytes', () => {
    const roll = emptyRoll()
    for (let n = 5000; n > 0; n -= 1) roll.add(row(n, `zoë.名${n}@example.com`))
    expect(roll.size).toBe(5000)
    expect(found(roll, '名4321@')).toEqual([4321])
    expect(found(roll, 'zoë')).toHaveLength(5000)
    roll.add(row(5001))
    expect(found(roll, 'person5001')).toEqual([5001])
    expect(found(roll, '名77@')).toEqual([77])
  })
})

describe('a page of many', () => {
  const all = async <T>(some: readonly T[]) => some

  it('counts up to a limit, and says that there are more', async () => {
    const many = Array.from({ length: 3 * MOST_COUNTED }, (_, i) => i)
    expect(await takePage(many, all, { limit: 3 }, undefined)).toEqual({
      taken: [0, 1, 2],
      found: MOST_COUNTED,
      isMore: true,
    })
    expect(await takePage(many.slice(0, 7), all, { limit: 3 }, undefined)).toEqual({
      taken: [0, 1, 2],
      found: 7,
      isMore: false,
    })
  })

  it('looks no further when all are found that there can be', async () => {
    let seen = 0
    function* numbers() {
      for (;;) yield seen++
    }
    const page = await takePage(
      numbers(),
      async (some) => some.filter((n) => n === 3 || n === 700),
      { limit: 50, most: 2 },
      undefined,
    )
    expect(page).toEqual({ taken: [3, 700], found: 2, isMore: false })
    expect(seen).toBeLessThan(1500)
  })
})
