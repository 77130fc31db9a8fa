import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import product from '../../product.config.ts'
import { addressIds } from '../../src/shared/address-id.ts'
import { keptLinkKey } from '../../src/store/link-key.ts'
import { sqliteStore } from '../../src/store/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { emptyFirestore, firestoreSettings } from '../every-store.ts'
import { linkKey } from '../keys.ts'
import { tempDir } from '../temp-dir.ts'

/** Where the subscribers of a test live, and what tells server and tool so. */
export interface Home {
  /** A folder of the test's own, which has `data` in it where that is where they live. */
  readonly folder: string
  readonly dataDir: string
  readonly store: Store
  readonly linkKey: Buffer
  readonly env: Readonly<Record<string, string>>
}

export function homeOnFile(): Home {
  const folder = tempDir()
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  const linkKey = keptLinkKey(dataDir)
  const file = join(dataDir, 'subscribers.sqlite')
  const ids = addressIds(linkKey)
  const store = sqliteStore({ file, appId: product.appId, addressIds: ids, log: () => {} })
  const env = { STORE: 'sqlite', DATA_DIR: dataDir, LINK_KEY: '' }
  return { folder, dataDir, store, linkKey, env }
}

/** @param origin of the emulator. */
export async function homeInFirestore(origin: string): Promise<Home> {
  const folder = tempDir()
  const dataDir = join(folder, 'none')
  const projectId = `demo-${randomUUID()}`
  const store = await emptyFirestore(origin, { projectId, appId: product.appId })
  const env = { ...firestoreSettings(origin, projectId), DATA_DIR: dataDir }
  return { folder, dataDir, store, linkKey, env }
}
