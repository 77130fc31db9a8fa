/**
 * Makes back-ups night after night, as fast as it can, until somebody ends it:
 * `node nights.ts <data folder> <folder of copies> <rule> <first night>`. It prints a line
 * before the first.
 */
import { join } from 'node:path'
import { addressIds } from '../../../src/keys/address-id.ts'
import { keptLinkKey } from '../../../src/keys/link-key.ts'
import { keepCopies } from '../../../src/upkeep/back-up/keep-copies.ts'
import { sqliteStore } from '../../fixtures/taken-in.ts'

const DAY_MS = 86_400_000
const [dataDir = '', to = '', keep = '', first = ''] = process.argv.slice(2)
const file = join(dataDir, 'subscribers.sqlite')
const ids = addressIds(keptLinkKey(dataDir))
const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: console.error })
console.log('begun')
for (let night = Date.parse(first); ; night += DAY_MS) {
  const now = () => new Date(night)
  const folders = { to, dataDir, served: [] }
  const options = { ...folders, sealKey: Buffer.alloc(32, 5), keep, appId: 'test', now }
  await keepCopies(store.backups, options)
}
