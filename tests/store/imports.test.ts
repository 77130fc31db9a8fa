import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import product from '../../product.config.ts'
import { curveOf, earliestOf, signUpsIn, startsOf } from '../../src/audience/growth.ts'
import { todayReader } from '../../src/desk/server/today-state.ts'
import type { AddressIds } from '../../src/keys/address-id.ts'
import { asJson } from '../../src/report/json.ts'
import type { Store } from '../../src/store/store.ts'
import { emptySqlite } from '../fixtures/empty-sqlite.ts'
import { ids } from '../fixtures/keys.ts'
import { restorePeople } from '../fixtures/restored.ts'
import { statusOf } from '../fixtures/status.ts'
import { amount, chance, seed } from '../torture/form.ts'

const emails = ['ada', 'bob', 'cleo', 'dan', 'eve', 'fay'].map((name) => `${name}@example.com`)
const acts = [
  'signUp',
  'signUp',
  'signUp',
  'robot',
  'import',
  'import',
  'import',
  'importRobot',
].concat('unsubscribe', 'release', 'forget')
const HISTORIES = amount(2, 200)
const EVENTS = 20
const MINUTE_MS = 60_000

/** What is known of an address by the rule that an import belongs to no day of the page. */
interface Person {
  stands: 'stranger' | 'subscribed' | 'unsubscribed' | 'quarantined' | 'forgotten'
  /** Whether they signed up at the page. */
  isOfPage: boolean
}

describe('the store, and imports', () => {
  it('counts a sign-up at the page on its day, whatever is imported before it or after it', {
    timeout: 120_000,
  }, async () => {
    for (let n = 0; n < HISTORIES; n += 1) {
      const store = await emptySqlite()
      const random = chance(seed + n)
      const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T
      const begun = new Date()
      const people = new Map<string, Person>(
        emails.map((email) => [email, { stands: 'stranger', isOfPage: false }]),
      )
      const story: string[] = []
      for (let event = 0; event < EVENTS; event += 1) {
        const [act, email, minutes] = [pick(acts), pick(emails), pick([-90_000, -20, 0])]
        story.push(`${act} ${email} ${minutes}`)
        const at = new Date(Date.now() + minutes * MINUTE_MS)
        await happen(store, ids, act, { email, at })
        learn(people.get(email) as Person, act)
      }
      try {
        await expectFigures(store, begun, [...people.values()])
        await expectOrigins(store, people)
      } catch (cause) {
        throw new Error(`seed ${seed + n}: ${story.join(', ')}`, { cause })
      }
    }
  })

  it('counts on no day who comes back from a copy in quarantine, and signed up at the page', async () => {
    const store = await emptySqlite()
    const signedUpAt = new Date(Date.now() - MINUTE_MS)
    const [ada, bob, cleo] = emails as [string, string, string]
    await restorePeople(store, [
      { email: ada, at: signedUpAt },
      { email: bob, at: signedUpAt, suspicion: 'hidden-field' },
      { email: cleo, at: signedUpAt, suspicion: 'hidden-field' },
    ])
    await expectFigures(store, signedUpAt, [
      { stands: 'subscribed', isOfPage: true },
      { stands: 'quarantined', isOfPage: true },
      { stands: 'quarantined', isOfPage: true },
    ])
  })

  it('rings for robots at the page, and for none of a file', async () => {
    const store = await emptySqlite()
    const [at, since] = [new Date(), new Date(Date.now() - MINUTE_MS)]
    for (const [i, email] of emails.entries())
      await happen(store, ids, i === 0 ? 'robot' : 'importRobot', { email, at })
    expect(await store.notices.quarantinedSince(since)).toBe(1)
  })
})

async function happen(
  store: Store,
  ids: AddressIds,
  act: string,
  one: { readonly email: string; readonly at: Date },
) {
  const { email, at } = one
  const imported = { email, subscribedAt: at }
  if (act === 'signUp') await store.list.add(email)
  if (act === 'robot') await store.list.add(email, { suspicion: 'hidden-field' })
  if (act === 'import') await store.list.importAll([imported])
  if (act === 'importRobot')
    await store.list.importAll([{ ...imported, standing: 'quarantined', detail: 'hidden-field' }])
  if (act === 'unsubscribe' && (await store.list.find(email)))
    await store.standings.unsubscribe(ids.of(email))
  if (act === 'release') await store.quarantine.release([email])
  if (act === 'forget') await store.standings.forget(email)
}

/** What comes of it, in a few sentences. */
function learn(one: Person, act: string) {
  const isListed = one.stands !== 'stranger' && one.stands !== 'forgotten'
  if (act === 'signUp') Object.assign(one, { stands: 'subscribed', isOfPage: true })
  if (act === 'robot') {
    one.isOfPage = true
    if (one.stands !== 'subscribed') one.stands = 'quarantined'
  }
  if (one.stands === 'stranger' && act === 'import') one.stands = 'subscribed'
  if (one.stands === 'stranger' && act === 'importRobot') one.stands = 'quarantined'
  if (act === 'unsubscribe' && isListed) one.stands = 'unsubscribed'
  if (act === 'release' && one.stands === 'quarantined') one.stands = 'subscribed'
  if (act === 'forget') Object.assign(one, { stands: 'forgotten', isOfPage: false })
}

/** The same number in all places: terminal, desk and notice. */
async function expectFigures(store: Store, begun: Date, people: readonly Person[]) {
  const counted = people.filter(
    ({ stands }) => !['stranger', 'forgotten', 'quarantined'].includes(stands),
  )
  const page = counted.filter(({ isOfPage }) => isOfPage).length
  const imported = counted.length - page
  const subscribed = people.filter(({ stands }) => stands === 'subscribed').length

  const now = new Date()
  const growth = await store.growth.since(earliestOf(now))
  const today = startsOf('day', now)
  const isOneDay = (today.at(-1) as Date) <= begun
  expect(growth.standings.subscribed).toBe(subscribed)
  expect(growth.imported).toBe(imported)
  const days = signUpsIn(growth.quarters, today)
  expect(days.reduce((sum, number) => sum + number, 0)).toBe(page)
  expect(curveOf('week', growth, now).before, 'listed at the beginning of the curve').toBe(imported)

  const { signUps } = await store.notices.growthBetween(begun, new Date(Date.now() + MINUTE_MS))
  expect(signUps, 'the notice of the day').toBe(page)

  const told = JSON.parse(await statusOf(store, { json: true }))
  expect({ subscribers: told.subscribers, imported: told.imported }).toEqual({
    subscribers: subscribed,
    imported,
  })
  expect(told.week, 'the week of the terminal').toBe(page)

  const place = join(tmpdir(), 'nowhere')
  const read = todayReader({
    store,
    place,
    backups: undefined,
    dataDir: place,
    settings: { confirm: false, smtpUrl: null },
    product,
  })
  const desk = asJson((await read()).report)
  expect(desk.subscribers).toBe(subscribed)
  if (!isOneDay) return
  expect([desk.today, told.today], 'today at the desk and in the terminal').toEqual([page, page])
}

/** Each of them is imported in every list, or in none. */
async function expectOrigins(store: Store, people: ReadonlyMap<string, Person>) {
  const listed = [...people].filter(([, { stands }]) => !['stranger', 'forgotten'].includes(stands))
  const origins = Object.fromEntries(listed.map(([email, { isOfPage }]) => [email, !isOfPage]))
  const inWords = (found: readonly { email: string; isImported?: true }[]) =>
    Object.fromEntries(found.map(({ email, isImported = false }) => [email, isImported]))
  expect(inWords((await store.people.page({ limit: 99 })).people)).toEqual(origins)
  const found = await Promise.all(listed.map(([email]) => store.list.find(email)))
  expect(inWords(found.flatMap((one) => one ?? []))).toEqual(origins)
}
