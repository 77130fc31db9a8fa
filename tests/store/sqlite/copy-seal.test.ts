import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sqliteCopies } from '../../../src/store/sqlite/copies.ts'
import { sqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { fillWithEveryKind } from '../../fixtures/every-kind.ts'
import { ids } from '../../fixtures/keys.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const sealKey = Buffer.alloc(32, 5)

/** A sealed copy of a list with rows of every kind. */
async function sealed() {
  const list = join(tempDir(), 'subscribers.sqlite')
  const store = sqliteStore({ file: list, appId: 'test', addressIds: ids, log: () => {} })
  onTestFinished(() => store.close())
  await fillWithEveryKind(store)
  const at = new Date(Date.UTC(2026, 0, 5))
  const counts = { first: 2, return: 1, robot: 0, prefetch: 0 }
  await store.restore.visits([
    { hour: at, counts, names: [{ kind: 'source', name: 'hn', number: 2 }] },
  ])
  const file = join(tempDir(), 'copy.sqlite')
  const keys = { 'link.key': Buffer.alloc(32, 1), 'invitation.key': Buffer.alloc(32, 2) }
  await store.backups.write(file, { keys, sealKey })
  const sealOf = async (sql: string) => {
    const changed = join(tempDir(), 'changed.sqlite')
    copyFileSync(file, changed)
    const db = new DatabaseSync(changed)
    db.exec(sql)
    db.close()
    return (await sqliteCopies(store, ids, 'test').check(changed, { sealKey })).seal
  }
  return { sealOf }
}

describe('the seal of a copy', () => {
  it('is right as long as nothing of it has changed', async () => {
    const { sealOf } = await sealed()
    expect(await sealOf('SELECT 1')).toBe('whole')
    // An index of somebody else's is not looked at.
    expect(await sealOf('CREATE INDEX theirs ON persons (number, id)')).toBe('whole')
  })

  it('is wrong after a change of any table that is read', { tags: 'thorough' }, async () => {
    const { sealOf } = await sealed()
    const changes = [
      `UPDATE documents SET data = json_set(data, '$.subscribedAt', '2020-01-01T00:00:00.000Z')`,
      'DELETE FROM documents WHERE id = (SELECT max(id) FROM documents)',
      `UPDATE persons SET data = json_remove(data, '$.noes.bounced')`,
      `UPDATE persons SET number = number + 1000`,
      'DELETE FROM persons WHERE number IS NULL',
      `UPDATE announcements SET subject = 'x'`,
      `UPDATE deliveries SET status = 'sent'`,
      'DELETE FROM requests',
      'UPDATE visits SET robot = robot + 1',
      `UPDATE visitsByName SET numbers = '{}'`,
      `UPDATE visitNames SET name = 'other'`,
      "UPDATE notes SET data = json_set(data, '$.url', 'https://evil.example/phish') WHERE name = 'opening'",
      `UPDATE invitationKeys SET publicKey = 'x'`,
      `INSERT INTO notes VALUES ('hold', '{}')`,
      `UPDATE copied SET at = '2026-01-01T00:00:00.000Z'`,
      `UPDATE copiedKeys SET bytes = zeroblob(32) WHERE name = 'link.key'`,
      `DELETE FROM copiedKeys WHERE name = 'invitation.key'`,
      'UPDATE copySeal SET mac = zeroblob(32)',
    ]
    for (const sql of changes) expect(await sealOf(sql), sql).toBe('wrong')
  })
})
