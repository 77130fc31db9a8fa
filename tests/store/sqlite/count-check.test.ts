import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, it } from 'vitest'
import type { SqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { ids } from '../../fixtures/keys.ts'
import { standingCounts } from '../../fixtures/standing-counts.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { people, person } from '../contracts/people.ts'

let [file, store] = ['', {} as SqliteStore]
beforeEach(() => {
  file = join(tempDir(), 'store.sqlite')
  store = storeOnFile(file)
})

const check = () => store.counts.check(new AbortController().signal)

function change(sql: string) {
  const db = new DatabaseSync(file)
  db.exec(sql)
  db.close()
}

it('nothing is wrong where people come, leave and are erased while they are counted', async () => {
  expect(await store.counts.last()).toBeUndefined()
  await store.list.importAll(people(1000))
  await store.list.importAll(people(6000).slice(1000))
  let n = 0
  // However fast a machine counts: again, until enough has changed meanwhile.
  while (n < 20) {
    let isOver = false
    const checking = check().finally(() => {
      isOver = true
    })
    while (!isOver) {
      n += 1
      await store.list.add(`new${n}@example.com`, n % 3 === 0 ? { suspicion: 'too-quick' } : {})
      await store.standings.unsubscribe(ids.of(person(n * 7).email))
      if (n % 5 === 0) await store.list.add(person(n * 7).email)
      if (n % 10 === 0)
        await store.standings.set([{ email: person(1000 - n).email, standing: 'bounced' }])
    }
    await checking
    expect(await store.counts.last()).toEqual({ at: expect.any(Date), unreadable: 0, wrong: [] })
  }
})

it('a count that is wrong is told with its numbers, and put right', async () => {
  await store.list.importAll(people(3))
  change(`UPDATE counters SET number = 8 WHERE name = 'is:subscribed';
    INSERT INTO counters VALUES ('is:bounced', 1); DELETE FROM counters WHERE name = 'imported'`)
  await check()
  expect((await store.counts.last())?.wrong).toEqual([
    { name: 'imported', kept: 0, counted: 3 },
    { name: 'is:bounced', kept: 1, counted: 0 },
    { name: 'is:subscribed', kept: 8, counted: 3 },
  ])
  await check()
  expect((await store.counts.last())?.wrong).toEqual([])
  expect(await standingCounts(store)).toMatchObject({ subscribed: 3, bounced: 0 })
})

it('people who cannot be read are counted, and a count begins anew where one was broken off', async () => {
  await store.list.importAll(people(700))
  change(`UPDATE persons SET data = 'nothing' WHERE n IN (2, 650)`)
  const broken = new AbortController()
  const half = store.counts.check(broken.signal)
  await expect.poll(() => countedSoFar()).toBeGreaterThan(0)
  broken.abort()
  await expect(half).rejects.toThrow()
  await check()
  expect(await store.counts.last()).toMatchObject({ unreadable: 2 })
  await store.standings.forget(person(2).email)
  await check()
  expect(await store.counts.last()).toMatchObject({ unreadable: 1, wrong: [] })
})

function countedSoFar() {
  const db = new DatabaseSync(file)
  const row = db.prepare("SELECT data AS upTo FROM notes WHERE name = 'countedUpTo'").get()
  db.close()
  return Number(row?.upTo ?? 0)
}
