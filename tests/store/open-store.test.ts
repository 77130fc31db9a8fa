import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../src/store/open-store.ts'
import { linkKey } from '../fixtures/keys.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

async function open(dataDir: string, appId = 'test') {
  const opened = await openStore({ kind: 'sqlite', dataDir, appId, linkKey, log: () => {} })
  onTestFinished(() => opened.store.close())
  return opened.store
}

it('says at the start that a list is of another product, and what to do', async () => {
  const dataDir = tempDir()
  const store = await open(dataDir, 'before')
  await store.list.count()
  await expect(open(dataDir, 'after')).rejects.toThrow(/Nobody is on this list yet/)
  await store.list.add('visitor@example.com')
  await expect(open(dataDir, 'after')).rejects.toThrow(
    /holds the subscribers of the appId "before", and product.config.ts says "after": put the appId back, or choose another DATA_DIR$/,
  )
  expect(await store.list.count()).toBe(1)
})

it('says at the start that a newer program was here', async () => {
  const dataDir = tempDir()
  await (await open(dataDir)).list.count()
  const db = new DatabaseSync(join(dataDir, 'subscribers.sqlite'))
  db.exec('PRAGMA user_version = 1000')
  db.close()
  await expect(open(dataDir)).rejects.toThrow('is of version 1000')
})

it('starts with an old file, and with one that is none, which may be put right meanwhile', async () => {
  const old = tempDir()
  copyFileSync(
    join(import.meta.dirname, 'sqlite/schemas/version-1.sqlite'),
    join(old, 'subscribers.sqlite'),
  )
  expect(await (await open(old)).list.count()).toBe(9)
  const broken = tempDir()
  copyFileSync(join(import.meta.dirname, '../fixtures/keys.ts'), join(broken, 'subscribers.sqlite'))
  await expect((await open(broken)).list.count()).rejects.toThrow('file is not a database')
})
