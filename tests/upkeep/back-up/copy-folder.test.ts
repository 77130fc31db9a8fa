import { mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { removeUnfinished } from '../../../src/upkeep/back-up/copy-folder.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

it('what a killed run left goes after half a day, and a copy under way stays', () => {
  const folder = tempDir()
  const left = (name: string, hoursAgo: number) => {
    const file = join(folder, name)
    writeFileSync(file, '')
    const then = new Date(Date.now() - hoursAgo * 3_600_000)
    utimesSync(file, then, then)
    return () => statSync(file, { throwIfNoEntry: false }) !== undefined
  }
  const copy = 'shop.2026-01-05T03-10-00Z.sqlite'
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
  const own = join(folder, `${copy}.22222222.part`)
  mkdirSync(own)
  utimesSync(own, new Date(0), new Date(0))
  removeUnfinished(folder, 'shop')
  expect(old.map((isThere) => isThere())).toEqual([false, false, false])
  expect(others.map((isThere) => isThere())).toEqual([true, true, true])
  expect(statSync(own).isDirectory()).toBe(true)
})
