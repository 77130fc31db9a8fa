import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { sqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { ids } from '../../fixtures/keys.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { people, person } from '../contracts/people.ts'

const file = () => join(tempDir(), 'store.sqlite')

function open(path: string) {
  const store = sqliteStore({ file: path, appId: 'test', addressIds: ids, log: () => {} })
  onTestFinished(() => store.close())
  return store
}

it('finds whoever signed up in another process since the last look', async () => {
  const path = file()
  const [server, desk] = [open(path), open(path)]
  const find = async (part: string) =>
    (await desk.people.page({ part, limit: 50 })).people.map(({ email }) => email)
  await server.list.importAll(people(3))
  expect(await find('person')).toHaveLength(3)
  await server.list.add('new@example.com')
  await server.list.importAll([{ email: 'old@example.com', subscribedAt: new Date(0) }])
  expect(await find('new@')).toEqual(['new@example.com'])
  expect(await find('example')).toEqual([
    'new@example.com',
    ...[3, 2, 1].map((n) => person(n).email),
    'old@example.com',
  ])
})

it('finds whoever took the number of somebody who was forgotten', async () => {
  const path = file()
  const [server, desk] = [open(path), open(path)]
  const find = async (part: string) =>
    (await desk.people.page({ part, limit: 50 })).people.map(({ email }) => email)
  await server.list.importAll(people(5))
  expect(await find('person')).toHaveLength(5)
  for (const n of [5, 4]) await server.standings.forget(person(n).email)
  await server.list.importAll([6, 7, 8].map(person))
  expect(await find('person')).toEqual([8, 7, 6, 3, 2, 1].map((n) => person(n).email))
})

it('shows the earlier time that an import gave somebody', async () => {
  const path = file()
  const [server, desk] = [open(path), open(path)]
  await server.list.importAll([1, 2, 3].map(person))
  await desk.people.page({ part: 'person', limit: 50 })
  await server.list.importAll([{ email: person(3).email, subscribedAt: new Date(0) }])
  // One look notices, the next has read anew.
  await desk.people.page({ part: 'person', limit: 50 })
  const found = await desk.people.page({ part: 'person', limit: 50 })
  expect(found.people.map(({ email }) => email)).toEqual([2, 1, 3].map((n) => person(n).email))
  expect(found.people.at(-1)?.subscribedAt).toEqual(new Date(0))
})
