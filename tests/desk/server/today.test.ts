import { renameSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { TodayPage } from '../../../src/desk/contract/pages.ts'
import type { TodayState } from '../../../src/desk/contract/today.ts'
import { addressIds } from '../../../src/keys/address-id.ts'
import { asJson } from '../../../src/report/json.ts'
import { openDesk } from '../../fixtures/desk.ts'
import { holdLetters } from '../../fixtures/held-letters.ts'
import { receipt } from '../../fixtures/receipt.ts'
import { restoreKnown, restorePeople } from '../../fixtures/restored.ts'

const email = (who: string) => `${who}@example.com`
const HOUR_MS = 3_600_000

async function opened(env: Record<string, string> = {}) {
  const { get, post, store, home } = await openDesk({ env })
  const today = async (query = '') => (await get(`/desk${query}`)).page as TodayPage
  const state = async () => (await today()).state
  return { get, post, store, home, today, state, told: async () => toldBy(await state()) }
}

/** What the page says, by the names of its figures and tables. */
const toldBy = ({ report }: TodayState) => asJson(report) as Told

type Told = Readonly<Record<string, unknown>> & {
  readonly sources: readonly { readonly kind: string; readonly name: string }[]
  readonly campaigns: readonly { readonly name: string }[]
  readonly latest: readonly Readonly<Record<string, unknown>>[]
}

const visitsNow = (first: number, names: { name: string; number: number }[] = []) => [
  {
    hour: new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS),
    counts: { first, return: 2, robot: 7, prefetch: 1 },
    names: names.map((one) => ({ ...one, kind: 'source' as const })),
  },
]

describe('the first page of the desk', () => {
  it('says how many there are by standing, and leaves robots out of the growth', async () => {
    const { store, state } = await opened()
    for (const who of ['ada', 'bob', 'cleo']) await store.list.add(email(who))
    await store.list.add(email('robot'), { suspicion: 'hidden-field' })
    await store.standings.set([{ email: email('bob'), standing: 'bounced' }])
    const { curves, ...one } = await state()
    expect(toldBy({ ...one, curves })).toMatchObject({
      ...{ subscribers: 2, gone: 1, quarantined: 1, today: 3 },
      standings: { bounced: 1 },
    })
    for (const { signUps, starts } of Object.values(curves)) {
      expect(signUps.at(-1)).toBe(3)
      expect(starts).toHaveLength(signUps.length)
    }
  })

  it('is read from the store once for all who ask at the same time', async () => {
    const { state } = await opened()
    const states = await Promise.all(Array.from({ length: 10 }, () => state()))
    expect(new Set(states.map(({ at }) => at)).size).toBe(1)
  })

  it('says how many letters wait and why, and releases those of one reason', async () => {
    const { store, state, post } = await opened()
    await holdLetters(store.requests, 3, 'hidden-field')
    await holdLetters(store.requests, 2, 'network')
    const held = async () =>
      (await state()).health.flatMap(({ code, data }) => (code === 'letters-held' ? [data] : []))
    expect(await held()).toMatchObject([
      { brake: 'hidden-field', letters: 3 },
      { brake: 'network', letters: 2 },
    ])
    const { statusCode } = await post('/desk/release', { brake: 'network' })
    expect(statusCode).toBe(303)
    expect(await held()).toMatchObject([{ brake: 'hidden-field', letters: 3 }])
    for (const brake of ['', 'everything', '__proto__'])
      expect((await post('/desk/release', { brake })).statusCode).toBe(400)
    const forged = await post('/desk/release', { brake: 'hidden-field', csrf: 'forged' })
    expect(forged.statusCode).toBe(403)
    expect(await held()).toMatchObject([{ brake: 'hidden-field', letters: 3 }])
  })

  it('shows forty sources and as many campaigns, and adds up the rest', async () => {
    const { store, told } = await opened()
    const names = Array.from({ length: 42 }, (_, n) => ({ name: `s${n}`, number: 50 - n }))
    const [visits] = visitsNow(2000, names)
    if (!visits) throw new Error('no visits')
    const campaigns = Array.from({ length: 41 }, (_, n) => ({
      kind: 'campaign' as const,
      name: `c${n}`,
      number: 50 - n,
    }))
    const hosts = [
      { kind: 'host' as const, name: 'blog.example', number: 99 },
      { kind: 'host' as const, name: null, number: 3 },
      { kind: 'medium' as const, name: 'post', number: 5 },
    ]
    await store.visits.add([{ ...visits, names: [...visits.names, ...campaigns, ...hosts] }])
    for (const who of ['ada', 'bob'])
      await store.list.add(email(who), { source: { source: 's41' } })
    await store.list.add(email('cleo'))
    const { sources, campaigns: ofCampaigns } = await told()
    const kinds = Map.groupBy(sources, ({ kind }) => kind)
    expect([kinds.get('host'), kinds.get('medium')]).toMatchObject([
      [{ kind: 'host', name: 'blog.example', visits: 99, signUps: null }],
      undefined,
    ])
    expect(kinds.get('source')).toHaveLength(39)
    expect(ofCampaigns.map(({ name }) => name)).toEqual(
      campaigns.slice(0, 40).map(({ name }) => name),
    )
    // s39 to s41, and hosts beyond those that are kept apart.
    expect(kinds.get('rest')).toMatchObject([
      { kind: 'rest', name: 'others', visits: 11 + 10 + 9 + 3, signUps: 2 },
    ])
    const led = 99 + 3 + names.reduce((sum, { number }) => sum + number, 0)
    expect(kinds.get('none')).toMatchObject([
      { kind: 'none', name: 'direct', visits: 2000 - led, signUps: 1 },
    ])
  })

  it('names who confirmed and who was imported as such', async () => {
    const { store, home, told } = await opened()
    await store.list.importAll([{ email: email('old'), subscribedAt: new Date(Date.now() - 1000) }])
    await store.list.add(email('ada'), { source: { campaign: 'launch' } })
    const addressId = addressIds(home.linkKey).of(email('ada'))
    await restoreKnown(store, [{ addressId, extra: { consent: receipt() } }])
    const { latest, everConfirmed, standings } = await told()
    expect(latest).toMatchObject([
      { email: email('ada'), standing: 'subscribed', source: 'launch' },
      { email: email('old'), standing: 'subscribed', source: 'imported' },
    ])
    expect(everConfirmed).toBe(1)
    expect(standings).not.toHaveProperty('forgotten')
    await store.standings.set([{ email: email('ada'), standing: 'bounced' }])
    expect((await told()).latest[0]?.standing).toBe('bounced')
  })

  it('draws the curve by the hour on the first days, and as the address says', async () => {
    const { store, today, home } = await opened()
    expect((await today()).span).toBe('hour')
    const at = new Date(Date.now() - 20 * 24 * HOUR_MS)
    await restorePeople(store, [{ email: email('old'), at }], addressIds(home.linkKey).of)
    expect((await today()).span).toBe('day')
    expect((await today('?span=week')).span).toBe('week')
  })

  it('is shown whatever the address says', async () => {
    const { get } = await opened()
    for (const query of [
      '?span=%00',
      '?span=__proto__',
      '?span=a&span=b',
      `?span=${'x'.repeat(999)}`,
    ])
      expect((await get(`/desk${query}`)).statusCode).toBe(200)
  })
})

it('shows what it last read while the store is away, and says so', async () => {
  const { store, home, today, get } = await opened()
  await store.list.add(email('ada'))
  expect((await today()).state.trouble).toBeUndefined()
  renameSync(home.dataDir, `${home.dataDir}.away`)
  const { state } = await today()
  expect(state.trouble).toBe('The database cannot be reached')
  expect(toldBy(state)).toMatchObject({ today: 1 })
  // Who is forgotten at that time is not kept here.
  expect(toldBy(state)).not.toHaveProperty('latest')
  expect(state.health.find(({ code }) => code === 'file')?.weight).toBe('bad')
  renameSync(`${home.dataDir}.away`, home.dataDir)
  expect((await today()).state.trouble).toBeUndefined()
  expect((await get('/desk')).statusCode).toBe(200)
})
