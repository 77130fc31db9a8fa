/**
 * Run as a process on the disk of `disk.c`: works with a store and writes down, on that same disk,
 * what was promised. Arguments: the folder with the source, the folder on the disk, how many
 * groups, where chance begins.
 */
import { openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { ids } from '../../fixtures/keys.ts'
import { chance } from '../form.ts'

const [root = '', folder = '', groups = '', from = ''] = process.argv.slice(2)
const source = join(root, 'src/store/sqlite/sqlite-store.ts')
const { sqliteStore }: typeof import('../../../src/store/sqlite/sqlite-store.ts') = await import(
  source
)

const promises = openSync(join(folder, 'promises'), 'a')
const note = (what: string, email: string) => writeSync(promises, `${what} ${email}\n`)

const random = chance(Number(from))
const file = join(folder, 'subscribers.sqlite')
const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
const added: string[] = []
for (let group = 0; group < Number(groups); group++) {
  const size = 1 + Math.floor(random() * 8)
  const emails = Array.from({ length: size }, (_, i) => `visitor-${group}-${i}@example.com`)
  await Promise.all(
    emails.map(async (email) => {
      await store.list.add(email)
      note('added', email)
    }),
  )
  added.push(...emails)
  if (group % 10 === 9) {
    const [email = ''] = added.splice(Math.floor(random() * added.length), 1)
    note('forgetting', email)
    await store.standings.forget(email)
    note('forgotten', email)
  }
}
process.exit()
