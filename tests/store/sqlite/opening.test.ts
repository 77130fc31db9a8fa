import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { copyOf } from '../../fixtures/merged-copy.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

it('a look makes no file while an operator puts another one in its place, and stays with what it knew', async () => {
  const file = join(tempDir(), 'store.sqlite')
  const store = storeOnFile(file)
  const now = new Date()
  const opening = { url: 'https://app.example.com/', at: now, zone: 'UTC', openedAt: now }
  await store.opening.set(opening)
  await store.opening.get()
  const copy = await copyOf(store)

  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
  expect(await store.opening.get()).toEqual(opening)
  expect(existsSync(file)).toBe(false)
  renameSync(copy, file)
  expect(await store.opening.get()).toEqual(opening)
  await store.opening.undo()
  expect(await store.opening.get()).toBeUndefined()
})
