/** @module-tag thorough */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { lookAtList, newestListVersion } from '../../../src/store/list-at-rest.ts'
import { takeBack } from '../../../src/store/sqlite/downgrade.ts'
import { ids } from '../../fixtures/keys.ts'
import { contentOf } from './schemas/content.ts'
import { folderOf, inside, open, releases, schemas } from './schemas/released.ts'

/** Each object of the schema with its SQL, without line ends. */
const schemaOf = (db: DatabaseSync) =>
  db
    .prepare(`SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name`)
    .all()
    .map(({ name, sql }) => `${name} ${String(sql).replaceAll(/[\s"]+/g, '')}`)

describe.for(releases)('a list of %s that was brought up', (release) => {
  const version = Number(/\d+/.exec(release)?.[0])

  it('goes back with who signed up, left and was erased since, and comes up again the same', async () => {
    const { folder, file } = folderOf(release)
    const store = open(file)
    // A visitor is refused meanwhile; an operator waits for the end of it.
    await store.list.find('sent@example.com')
    await store.list.add('since@example.com')
    await store.list.add('gone-since@example.com')
    await store.standings.forget('gone-since@example.com')
    await store.standings.unsubscribe(ids.of('sent@example.com'))
    const before = await contentOf(store)
    const left = await store.standings.of('sent@example.com')
    await store.close()
    const count = lookAtList(folder)?.subscribers

    const taken = await takeBack(file, 'test', version)
    expect(lookAtList(folder)).toMatchObject({ version, subscribers: count })
    if (version === newestListVersion) expect(taken).toBeUndefined()
    else expect(existsSync(String(taken?.keptAs))).toBe(true)
    // Exactly what the program of that version made.
    expect(inside(file, schemaOf)).toEqual(inside(join(schemas, release), schemaOf))
    const inOrder = inside(file, (db) => db.prepare('PRAGMA integrity_check').all())
    expect(inOrder).toEqual([{ integrity_check: 'ok' }])

    const again = open(file)
    const after = await contentOf(again)
    expect(after.subscribers).toEqual(before.subscribers)
    expect(after.deliveries).toEqual(before.deliveries)
    expect(after.announcements).toEqual(before.announcements)
    expect(await again.standings.of('sent@example.com')).toMatchObject({
      standing: left?.standing,
      at: left?.at,
    })
    expect(await again.standings.of('gone-since@example.com')).toMatchObject({
      standing: 'forgotten',
    })
  })
})

it('keeps what is counted as it was, and numbers that were given are not given again', async () => {
  const { file } = folderOf('version-10.sqlite')
  const store = open(file)
  // No visitor waits until it is brought up.
  await store.list.find('sent@example.com')
  await store.list.add('since@example.com')
  await store.standings.unsubscribe(ids.of('sent@example.com'))
  await store.close()
  const counted = (db: DatabaseSync) => ({
    counts: db.prepare('SELECT * FROM counts WHERE number <> 0').all(),
    numbers: db.prepare('SELECT * FROM sqlite_sequence ORDER BY name').all(),
    triggers: db.prepare(`SELECT count(*) AS n FROM sqlite_schema WHERE type = 'trigger'`).get(),
  })
  const before = inside(file, counted)
  expect(before.counts.length).toBeGreaterThan(2)
  await takeBack(file, 'test', 8)
  expect(inside(file, counted)).toEqual(before)
})

it('does not go back while somebody has it open', async () => {
  const { file } = folderOf('version-5.sqlite')
  const store = open(file)
  await store.list.find('sent@example.com')
  await store.list.add('since@example.com')
  await expect(takeBack(file, 'test', 5, 500)).rejects.toThrow(
    'cannot go back to the older version',
  )
  expect(await store.list.find('since@example.com')).toBeDefined()
})
