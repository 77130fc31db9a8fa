import { expect, it } from 'vitest'
import product from '../../product.config.ts'
import { healthOf } from '../../src/desk/server/health.ts'
import { watchList } from '../../src/notices/watch-list.ts'
import { inWords } from '../../src/notices/words.ts'
import { listRetention } from '../../src/opening/list-retention.ts'
import { findProductMistakes } from '../../src/shared/product.ts'
import { endOfRetention, readRetention } from '../../src/shared/retention.ts'
import { emptySqlite } from '../fixtures/empty-sqlite.ts'
import { statusOf } from '../fixtures/status.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { toldAt } from '../fixtures/told.ts'
import { people } from '../store/contracts/people.ts'

const retain = '6 months after opening'
const openedAt = new Date('2026-01-31T09:00:00Z')
const before = new Date('2026-07-31T08:59:59Z')
const after = new Date('2026-07-31T09:00:00Z')

async function opened() {
  const store = await emptySqlite()
  await store.list.importAll(people(3))
  const opening = {
    url: 'https://app.example.com/',
    at: openedAt,
    zone: 'UTC',
    openedAt: undefined,
  }
  await store.opening.set(opening)
  await store.opening.noteOpened(opening, openedAt)
  return store
}

it.each([
  ['6 months after opening', '2026-07-31T09:00:00.000Z'],
  ['1 month after opening', '2026-02-28T09:00:00.000Z'],
  ['1 year after opening', '2027-01-31T09:00:00.000Z'],
  ['30 days after opening', '2026-03-02T09:00:00.000Z'],
  ['2 weeks after opening', '2026-02-14T09:00:00.000Z'],
])('%s ends at a time of its own', (text, end) => {
  const retention = readRetention(text)
  expect(retention && endOfRetention(retention, openedAt).toISOString()).toBe(end)
})

it.each([
  '6 months',
  'six months after opening',
  '0 days after opening',
  '11 years after opening',
  '',
  6,
  null,
  '6 months after opening ',
  'for 6 months after opening',
])('%j is refused in one line, with what would be right', (wrong) => {
  expect(findProductMistakes({ ...product, retain: wrong })).toEqual([
    `retain: is "${wrong}", must be like '6 months after opening', in days, weeks, months or years, 10 years at most`,
  ])
  expect(findProductMistakes({ ...product, retain })).toEqual([])
})

it('begins when the page opened, and says nothing of a page that has not', async () => {
  const store = await opened()
  expect(await listRetention(store, undefined, after)).toBeUndefined()
  expect(await listRetention(store, retain, before)).toMatchObject({ isOver: false, people: 0 })
  expect(await listRetention(store, retain, after)).toMatchObject({ isOver: true, people: 3 })
  await store.opening.undo()
  expect(await listRetention(store, retain, after)).toBeUndefined()
})

it('reminds at status and at the desk, until everybody is forgotten', async () => {
  const store = await opened()
  const said = (json = false) => statusOf(store, { product: { name: 'Meridian', retain }, json })
  const lights = () =>
    healthOf({
      store,
      place: 'x',
      backups: undefined,
      dataDir: tempDir(),
      settings: { confirm: false, smtpUrl: null },
      product: { ...product, retain },
    })()
  const isLate = Date.now() >= after.getTime()
  expect(isLate).toBe(true)
  expect(await said()).toMatch(
    /PROBLEM: The list is to be erased: 3 people are still on it, .* 2026-07-31 .*forget --everybody/,
  )
  expect(JSON.parse(await said(true)).notes).toContainEqual(
    expect.objectContaining({ code: 'list-overdue', people: 3 }),
  )
  expect(await lights()).toContainEqual(
    expect.objectContaining({ code: 'list-overdue', weight: 'bad' }),
  )
  await store.standings.forgetAll(people(3).map(({ email }) => email))
  expect(await said()).not.toContain('PROBLEM: The list')
  expect((await lights()).map(({ code }) => code)).not.toContain('list-overdue')
})

it('is told as a notice once, and that it is done', async () => {
  const store = await opened()
  await store.notices.open(['one'], new Date())
  const overdue = async (now: Date) => (await listRetention(store, retain, now))?.people
  const watch = (now: Date) =>
    watchList({ store, backups: undefined, since: openedAt, overdue }, now)
  const told = async () => (await toldAt(store, 'one'))?.map((one) => inWords(one, 'Meridian'))
  await watch(before)
  expect(await told()).toEqual([])
  await watch(after)
  await watch(new Date(after.getTime() + 60_000))
  expect(await told()).toMatchObject([{ title: 'Meridian: the list is to be erased' }])
  expect((await told())?.[0]?.lines.join()).toMatch(
    /3 people are still on the list\. .*forget --everybody/,
  )
  await store.standings.forgetAll(people(3).map(({ email }) => email))
  await watch(new Date(after.getTime() + 120_000))
  expect(await told()).toMatchObject([{}, { title: 'Meridian: the list is erased' }])
})
