import { closeSync, copyFileSync, openSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CheckpointLimits } from '../src/store/sqlite-checkpoints.ts'
import { sqliteStore } from '../src/store/sqlite-store.ts'
import { ids } from './keys.ts'
import { tempDir } from './temp-dir.ts'

describe('the log of a large file', () => {
  function openLarge(limits: Partial<CheckpointLimits>) {
    const file = join(tempDir(), 'store.sqlite')
    const checkpoints = { threadFrom: 0, rows: 1, ...limits }
    const store = sqliteStore({ file, appId: 'test', addressIds: ids, checkpoints, log: () => {} })
    onTestFinished(() => store.close())
    let added = 0
    /** Their names begin in no order, as those of people do. */
    const add = async (people: number) => {
      const emails = Array.from({ length: people }, () => `${(added++ * 7919) % 9973}@example.com`)
      await Promise.all(emails.map((email) => store.add(email)))
    }
    /** How many are in the file itself once somebody else has signed up, or a moment later. */
    const afterOneMore = async () => {
      await add(1)
      return writtenBack(file)
    }
    return { store, file, add, afterOneMore }
  }

  /** How many are in the file itself, whatever its log has. */
  function writtenBack(file: string): number {
    const copy = join(tempDir(), 'copy.sqlite')
    copyFileSync(file, copy)
    const db = new DatabaseSync(copy)
    try {
      return Number(db.prepare('SELECT count(*) AS people FROM subscribers').get()?.people)
    } catch {
      // Taken while it was written, or before there was a table.
      return 0
    } finally {
      db.close()
    }
  }

  it('is written back by a thread while people sign up', async () => {
    const { add, afterOneMore } = openLarge({})
    await expect.poll(afterOneMore).toBeGreaterThan(0)
    await add(50)
    await expect.poll(afterOneMore).toBeGreaterThan(50)
  })

  it('is begun anew when it is long, however busy the page is', async () => {
    const { store, file, add, afterOneMore } = openLarge({ logPages: 1000 })
    await add(5000)
    await expect.poll(afterOneMore).toBeGreaterThan(5000)
    const before = await store.count()
    const log = openSync(`${file}-wal`, 'r')
    onTestFinished(() => closeSync(log))
    const header = Buffer.alloc(32)
    const begun = () => readSync(log, header, 0, 32, 0) && header.toString('hex')
    const first = begun()
    let groups = 0
    while (begun() === first && groups < 45) {
      await add(200)
      groups += 1
    }
    // SQLite by itself would wait for 4000 pages, some sixty of these groups.
    expect(groups).toBeLessThan(45)
    expect(await store.count()).toBe(before + groups * 200)
  })

  it('is written back where the file is now, when it was replaced', async () => {
    const { file, add, afterOneMore } = openLarge({})
    await add(1000)
    await expect.poll(afterOneMore).toBeGreaterThan(1000)
    for (const end of ['', '-wal', '-shm']) rmSync(file + end)
    await expect.poll(afterOneMore).toBeLessThan(1000)
    await expect.poll(afterOneMore).toBeGreaterThan(0)
  })
})
