import { mkdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { copiesIn, nameOf, removeUnfinished } from '../../../src/upkeep/back-up/copy-folder.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const named = (at: Date, isEncrypted = false) => nameOf('shop', at, isEncrypted)
const at = (day: number) => new Date(Date.UTC(2026, 0, day, 3, 10))

it('a copy is named by its product and its time, and says whether it is encrypted', () => {
  expect(named(at(5))).toBe('shop.2026-01-05T03-10-00Z.sqlite')
  expect(named(new Date('2026-01-05T03:10:59.999Z'), true)).toBe(
    'shop.2026-01-05T03-10-59Z.sqlite.age',
  )
})

it('the copies of a folder are those of the product alone, from the oldest to the newest', () => {
  const folder = tempDir()
  const days = [7, 2, 9, 4, 1, 8, 3, 6, 5]
  for (const day of days) writeFileSync(join(folder, named(at(day), day === 3)), 'x'.repeat(day))
  for (const other of [
    'shop.2026-01-05T03-10-00Z.sqlite.part',
    'shop.2026-13-05T03-10-00Z.sqlite',
    'shop.2026-01-05.sqlite',
    'other.2026-01-05T03-10-00Z.sqlite',
    'my-shop.2026-01-05T03-10-00Z.sqlite',
  ])
    writeFileSync(join(folder, other), '')
  mkdirSync(join(folder, named(at(20))))
  symlinkSync(join(folder, named(at(1))), join(folder, named(at(21))))
  expect(copiesIn(folder, 'shop')).toEqual(
    days.toSorted().map((day) => ({
      name: named(at(day), day === 3),
      at: at(day),
      bytes: day,
    })),
  )
})

it('what a killed run left goes after half a day, and a copy under way stays', () => {
  const folder = tempDir()
  const left = (name: string, hoursAgo: number) => {
    const file = join(folder, name)
    writeFileSync(file, '')
    const then = new Date(Date.now() - hoursAgo * 3_600_000)
    utimesSync(file, then, then)
    return () => statSync(file, { throwIfNoEntry: false }) !== undefined
  }
  const copy = named(at(5))
  const old = [
    left(`${copy}.0a1b2c3d.part`, 12.1),
    left(`${copy}.age.0a1b2c3d.part`, 13),
    left(`${copy}.0a1b2c3d.part-wal`, 13),
  ]
  const others = [
    left(`${copy}.11111111.part`, 11.9),
    left(`${copy}.part`, 13),
    left(`other.2026-01-05T03-10-00Z.sqlite.0a1b2c3d.part`, 13),
  ]
  mkdirSync(join(folder, `${copy}.22222222.part`))
  utimesSync(join(folder, `${copy}.22222222.part`), at(1), at(1))
  removeUnfinished(folder, 'shop')
  expect(old.map((isThere) => isThere())).toEqual([false, false, false])
  expect(others.map((isThere) => isThere())).toEqual([true, true, true])
  expect(statSync(join(folder, `${copy}.22222222.part`)).isDirectory()).toBe(true)
})
