import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import product from '../product.config.ts'
import { firestoreRules } from '../scripts/firestore-rules.ts'
import { firestoreStore } from '../src/store/firestore/firestore-store.ts'
import { sqliteStore } from '../src/store/sqlite-store.ts'
import type { Store } from '../src/store/store.ts'
import { firestoreRest } from './emulators/firestore-rest.ts'
import { withFirestoreEmulator } from './emulators/with-emulators.ts'
import { ids } from './keys.ts'

/**
 * Runs the same tests on every store that keeps everything.
 *
 * @param tests is given the store's name and how to open one that holds nobody.
 */
export function onEveryStore(tests: (name: string, openEmpty: () => Promise<Store>) => void) {
  tests('the SQLite store', async () => emptySqlite())

  describe('on Firestore', () => {
    const emulator = withFirestoreEmulator(firestoreRules(product.appId))
    tests('the Firestore store', async () => emptyFirestore(emulator().origin))
  })
}

function emptySqlite(): Store {
  const dir = mkdtempSync(join(tmpdir(), 'opening-bell-'))
  const file = join(dir, 'store.sqlite')
  const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  return {
    ...store,
    async close() {
      await store.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Where a test's store is: the emulator keeps projects apart. */
function emptyFirestore(origin: string): Store {
  const projectId = `demo-${randomUUID()}`
  const store = openFirestore(origin, projectId)
  return {
    ...store,
    async close() {
      await store.close()
      // What stays there makes it slower for all that follow.
      await firestoreRest(origin, projectId).clear()
    },
  }
}

/** @param origin of the emulator. */
export function openFirestore(
  origin: string,
  projectId: string,
  { appId = 'test', addressIds = ids, log = (_message: string) => {} } = {},
): Store {
  process.env.FIRESTORE_EMULATOR_HOST = new URL(origin).host
  return firestoreStore({ projectId, appId, addressIds, log })
}
