import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ids } from '../../fixtures/keys.ts'
import { sqliteStore } from '../../fixtures/taken-in.ts'
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
    'old@example.com',
    'new@example.com',
    ...[3, 2, 1].map((n) => person(n).email),
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

it('shows the earlier time that an import gave somebody, at the same place', async () => {
  const path = file()
  const [server, desk] = [open(path), open(path)]
  await server.list.importAll([1, 2, 3].map(person))
  await server.list.importAll([{ email: person(3).email, subscribedAt: new Date(0) }])
  const [first] = (await desk.people.page({ part: 'person', limit: 50 })).people
  expect(first).toMatchObject({ email: person(3).email, subscribedAt: new Date(0) })
})

it('finds somebody far down the list, and counts no further than it takes long', async () => {
  const store = open(file())
  const found = (part: string) => store.people.page({ part, limit: 2 })
  for (let n = 0; n < 9000; n += 1000)
    await store.list.importAll(Array.from({ length: 1000 }, (_, i) => person(n + i)))
  expect(await found('person17@')).toMatchObject({ people: [person(17)], found: 1, isMore: false })
  const { next, ...first } = await found('person')
  expect(first).toMatchObject({ people: [person(8999), person(8998)], isMore: true })
  const second = await store.people.page({ part: 'person', limit: 1, after: next ?? '' })
  expect(second.people).toMatchObject([person(8997)])
})
