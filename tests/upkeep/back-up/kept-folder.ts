import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { keepByRule, tryNewest } from '../../../src/cli/commands/backup.ts'
import { addressIds } from '../../../src/keys/address-id.ts'
import { keptLinkKey } from '../../../src/keys/link-key.ts'
import type { KeepOptions } from '../../../src/upkeep/back-up/keep-copies.ts'
import { layEmptyList } from '../../fixtures/empty-list.ts'
import { listening } from '../../fixtures/spoken.ts'
import { sqliteStore } from '../../fixtures/taken-in.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { people } from '../../store/contracts/people.ts'
import { worded } from '../worded.ts'

const appId = 'test'

/** A list with its keys, a folder for copies, and a clock that stands where it is set. */
export async function keptFolder(count = 3) {
  const root = tempDir()
  const [dataDir, to] = [join(root, 'data'), join(root, 'copies')]
  for (const folder of [dataDir, to]) mkdirSync(folder, { mode: 0o700 })
  const linkKey = keptLinkKey(dataDir)
  const ids = addressIds(linkKey)
  const file = layEmptyList(join(dataDir, 'subscribers.sqlite'), appId)
  const store = sqliteStore({ file, appId, addressIds: ids, log: () => {} })
  onTestFinished(() => store.close())
  await store.list.importAll(people(count))
  const common = { to, appId, dataDir, served: [], sealKey: Buffer.alloc(32, 5) }

  return {
    root,
    dataDir,
    to,
    store,
    ids,
    names: () => readdirSync(to).toSorted(),
    path: (name: string) => join(to, name),
    /** @param day of the clock, such as `2026-01-05`. */
    async keep(day: string, more: Partial<KeepOptions> & { json?: boolean } = {}) {
      const { out, said, result } = listening()
      const now = () => new Date(`${day}T03:10:00Z`)
      const given = { ...common, keep: '3,0,0', now, ...more }
      const code = await worded(keepByRule(store.backups, given, out))
      return { code, said: said.join('\n'), result: result() }
    },
    /** @param passphrase of the settings. */
    async rehearse(passphrase?: string) {
      const { out, said } = listening()
      const given = { ...common, linkKey, passphrase }
      const code = await worded(tryNewest(store.backups, given, out))
      return { code, said: said.join('\n') }
    },
  }
}

export const copyOf = (day: string) => `test.${day}T03-10-00Z.sqlite`
