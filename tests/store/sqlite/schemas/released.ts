import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'
import { sqliteStore } from '../../../../src/store/sqlite/sqlite-store.ts'
import { ids } from '../../../fixtures/keys.ts'
import { tempDir } from '../../../fixtures/temp-dir.ts'

/** Where the files are that `make.ts` made. */
export const schemas = import.meta.dirname

/** The file that each release left. */
export const releases = readdirSync(schemas).filter((name) => /^version-\d+\.sqlite$/.test(name))

/** A data folder with the file that a release left there. */
export function folderOf(release: string) {
  const folder = tempDir()
  const file = join(folder, 'subscribers.sqlite')
  copyFileSync(join(schemas, release), file)
  return { folder, file, copies: () => readdirSync(folder).filter((name) => /version-/.test(name)) }
}

/** A store on a file, until the test ends. */
export function open(file: string, { appId = 'test', log = (_: string) => {} } = {}) {
  const store = sqliteStore({ file, appId, addressIds: ids, log })
  onTestFinished(() => store.close())
  return store
}

/** Looks into a file without opening it as a store would. */
export function inside<T>(file: string, look: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file)
  try {
    return look(db)
  } finally {
    db.close()
  }
}
