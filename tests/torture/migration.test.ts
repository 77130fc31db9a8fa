/** @module-tag thorough */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, type TestContext } from 'vitest'
import { newestVersion } from '../../src/store/sqlite/migrations/all.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { ids } from '../fixtures/keys.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { contentOf, made } from '../store/sqlite/schemas/content.ts'
import { changesIn, Disk } from './disk/power-loss.ts'
import { buildDisk } from './disk/preload.ts'
import { amount, chance, isLong, report, seed } from './form.ts'

const release = 'version-1.sqlite'
const old = join(import.meta.dirname, '../store/sqlite/schemas', release)
/** In the short form every so many writes, in the long one each. */
const EVERY = amount(20, 1)
const POWER_LOSSES = amount(12, 1000)

/** What is written while a file is brought up. */
function bringUpOnDisk(context: TestContext): Buffer {
  const disk = buildDisk()
  if ('missing' in disk) return context.skip(disk.missing)
  const folder = join(tempDir(), 'data')
  mkdirSync(folder)
  const log = join(tempDir(), 'log')
  const script = join(import.meta.dirname, 'disk/bring-up.ts')
  const env = { ...process.env, LD_PRELOAD: disk.library, DISK_FOLDER: folder, DISK_LOG: log }
  const { status, stderr } = spawnSync(process.execPath, [script, old, folder], {
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`It ended with ${status}:\n${stderr}`)
  return readFileSync(log)
}

/** @returns the version of a file that nothing is missing from. */
function versionOfWhole(file: string): number {
  const db = new DatabaseSync(file)
  const found = Number(db.prepare('PRAGMA user_version').get()?.user_version)
  const table = found === 0 ? 'suppressions' : 'standings'
  expect(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 4 })
  expect(db.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  db.close()
  return found
}

/** Looks at what is left, and lets a store go on from it. @returns which version it found. */
async function opened(left: Map<string, Buffer>): Promise<number> {
  const folder = tempDir()
  for (const [name, content] of left)
    if (!name.endsWith('-shm')) writeFileSync(join(folder, name), content)
  const file = join(folder, 'subscribers.sqlite')
  const found = versionOfWhole(file)
  // A copy that has its name is whole, whatever happened since.
  for (const name of left.keys())
    if (/version-.*\.sqlite$/.test(name)) expect(versionOfWhole(join(folder, name))).toBe(0)
  const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  try {
    expect(await contentOf(store)).toEqual(made[release])
    // A whole copy of the old one is there as soon as the file is not the old one any more.
    const copies = readdirSync(folder).filter((name) => name.startsWith('subscribers.version-1.'))
    expect(copies.length).toBeGreaterThan(0)
    expect(copies.filter((name) => !name.endsWith('.sqlite'))).toEqual([])
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
  return found
}

it('killed at every write while it is brought up, the file is the old one or the new one', async (context) => {
  const disk = new Disk()
  const found = { old: 0, new: 0 }
  let begun = false
  for (const [at, change] of [...changesIn(bringUpOnDisk(context))].entries()) {
    begun ||= change.name === 'promises'
    if (change.name !== 'promises') disk.apply(change)
    if (!begun || at % EVERY !== 0) continue
    const version = await opened(disk.afterKill())
    expect([0, newestVersion], `write ${at}`).toContain(version)
    found[version === 0 ? 'old' : 'new'] += 1
  }
  expect(found.old).toBeGreaterThan(0)
  expect(found.new).toBeGreaterThan(0)
  report(context, {
    done: `kill at ${isLong ? 'every write' : 'every twentieth write'} of bringing a file up to a newer version`,
    times: found.old + found.new,
    result: `${found.old} times the old file, ${found.new} times the new one, nothing missing`,
  })
})

it('a power failure while it is brought up leaves the old file or the new one', async (context) => {
  const random = chance(seed)
  const changes = [...changesIn(bringUpOnDisk(context))]
  const begun = changes.findIndex(({ name }) => name === 'promises')
  for (let times = 0; times < POWER_LOSSES; times++) {
    const end = begun + Math.floor(random() * (changes.length - begun + 1))
    const disk = new Disk()
    for (const change of changes.slice(0, end)) if (change.name !== 'promises') disk.apply(change)
    const version = await opened(disk.afterPowerLoss(random))
    expect([0, newestVersion], `seed ${seed}, write ${end}`).toContain(version)
  }
  report(context, {
    done: 'power loss at a random moment of bringing a file up to a newer version',
    times: POWER_LOSSES,
    result: `the old file or the new one, nothing missing (seed ${seed})`,
  })
})
