import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { eventTypes } from '../../../src/shared/event-types.ts'
import { FOUND } from '../../../src/store/arrival.ts'
import { SET_ASIDE } from '../../../src/store/sqlite/arrivals.ts'
import { sqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { enlist } from '../../fixtures/enlist.ts'
import { ids } from '../../fixtures/keys.ts'
import { copyOf } from '../../fixtures/merged-copy.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const email = 'zephyrine@forget.example'
/** All that only she can have referred, and what was said of her. */
const hers = [email, 'Zephyrine', 'my own reply', 'zephyr-campaign', '550 no zephyrine']
const [friend, guest] = ['friend@example.com', 'guest@example.com']
const id = ids.of(email)
const at = '2026-01-01T00:00:00.000Z'

/**
 * What each table may hold of somebody: how it comes there, if a life does not bring it. A new table has no
 * place here until somebody has decided what `forget` does with it.
 */
const tables: Readonly<Record<string, string | 'a life brings it' | 'names nobody'>> = {
  documents: `
    INSERT INTO documents (collection, data, waits, seen, addressId)
    SELECT '', '{"email":"${email}","subscribedAt":"${at}"}', value, '{}', '${id}'
    FROM json_each('[${SET_ASIDE},${FOUND}]')`,
  persons: 'a life brings it',
  places: 'a life brings it',
  counters: 'names nobody',
  notes: 'names nobody',
  inboxDocuments: 'names nobody',
  inboxNoes: 'names nobody',
  inboxErasures: 'names nobody',
  announcements: 'names nobody',
  deliveries: 'a life brings it',
  runs: 'names nobody',
  refusals: `INSERT INTO refusals VALUES ('${id}', 'report', 'full', 'forget.example', '${at}', '${at}')`,
  codeKeys: 'names nobody',
  visits: 'names nobody',
  visitNames: 'names nobody',
  queue: 'a life brings it',
}

const shown = { words: 'x', page: 'x', language: 'en' }

/** She signed up, answered, was told, referred two others, and left her address again. */
async function lifeIn(file: string) {
  const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  onTestFinished(() => store.close())
  await store.events.open(eventTypes, 'P'.repeat(22))
  const source = { source: 'zephyr-campaign' }
  await store.list.add(email, { source, key: 'k', fields: { firstName: 'Zephyrine' } })
  await store.replies.keep(email, 'my own reply', 'k')
  await store.inbox.takeInAll()
  await store.lock.acquire({ owner: 'me', host: 'here', pid: 1 }, 60_000)
  await store.ledger.begin('me', 'launch', { subject: 'x', digest: 'x' })
  await enlist(store, 'me', 'launch', [{ email }])
  for (const { number, tries } of await store.ledger.claim('me', 'launch', {
    ...({ limit: 9, which: 'untried' } as const),
  }))
    await store.ledger.record('me', 'launch', [
      { number, tries, status: 'failed', answer: '550 no zephyrine' },
    ])
  const referred = { shown, isCrowd: false, referredBy: id }
  await store.requests.requestConfirmation(friend, referred)
  await store.inbox.takeInAll()
  await store.requests.requestConfirmation(guest, referred)
  await store.requests.requestConfirmation(email, { shown, isCrowd: false })
  await store.list.add(email, { suspicion: 'too-quick' })
  await store.standings.set([{ email, standing: 'bounced', detail: '550 no zephyrine' }])
  await store.list.add(email, { source })
  await store.replies.keepFromLetter(id, 'my own reply')
  return store
}

it('whoever is forgotten is in no byte of the file, its log or a copy, and named by nobody', async () => {
  const file = join(tempDir(), 'subscribers.sqlite')
  const store = await lifeIn(file)
  const db = new DatabaseSync(file)
  const named = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  const ours = named.map(({ name }) => String(name)).filter((name) => !name.startsWith('sqlite_'))
  expect(ours.toSorted()).toEqual(Object.keys(tables).toSorted())
  for (const planted of Object.values(tables)) if (planted.includes('INSERT')) db.exec(planted)
  const rowsOf = (name: string) => JSON.stringify(db.prepare(`SELECT * FROM ${name}`).all())
  const isIn = (name: string) => [...hers, id].some((text) => rowsOf(name).includes(text))
  const theirs = ours.filter((name) => tables[name] !== 'names nobody')
  expect(theirs.filter(isIn)).toEqual(theirs)

  await store.standings.forget(email)
  // That she was forgotten is known by her id.
  const kept = ours.filter((name) => rowsOf(name).includes(id))
  expect(kept).toEqual(['persons'])
  db.close()
  for (const where of [file, `${file}-wal`, await copyOf(store)]) {
    const bytes = existsSync(where) ? readFileSync(where, 'latin1') : ''
    for (const text of hers) expect(bytes.includes(text), `${text} in ${where}`).toBe(false)
  }
})
