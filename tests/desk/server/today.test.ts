import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import product from '../../../product.config.ts'
import type { TodayPage } from '../../../src/desk/contract/pages.ts'
import { healthOf } from '../../../src/desk/server/health.ts'
import { noTally } from '../../../src/desk/server/letters/progress.ts'
import { replicaLight } from '../../../src/desk/server/replica.ts'
import { addressIds } from '../../../src/keys/address-id.ts'
import { nothingHeld } from '../../../src/shared/held-letters.ts'
import type { Tally } from '../../../src/store/delivery-ledger.ts'
import { sqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { openDesk } from '../../fixtures/desk.ts'
import { holdLetters } from '../../fixtures/held-letters.ts'
import { ids } from '../../fixtures/keys.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const email = (who: string) => `${who}@example.com`
const HOUR_MS = 3_600_000

async function opened(env: Record<string, string> = {}) {
  const { get, post, store, home } = await openDesk({ env })
  const today = async (query = '') => (await get(`/desk${query}`)).page as TodayPage
  return { get, post, store, home, today, state: async () => (await today()).state }
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
    const { people, signUpsToday, curves } = await state()
    expect(people).toMatchObject({ subscribed: 2, bounced: 1, quarantined: 1 })
    expect(signUpsToday).toBe(3)
    for (const { signUps, starts } of Object.values(curves)) {
      expect(signUps.at(-1)).toBe(3)
      expect(starts).toHaveLength(signUps.length)
    }
  })

  it('says how many letters wait and why, and releases those of one reason', async () => {
    const { store, state, post } = await opened()
    await holdLetters(store.outbox, 3, 'hidden-field')
    await holdLetters(store.outbox, 2, 'network')
    expect((await state()).held).toEqual({ ...nothingHeld, 'hidden-field': 3, network: 2 })
    const { statusCode } = await post('/desk/release', { brake: 'network' })
    expect(statusCode).toBe(303)
    expect((await state()).held).toEqual({ ...nothingHeld, 'hidden-field': 3 })
    for (const brake of ['', 'everything', '__proto__'])
      expect((await post('/desk/release', { brake })).statusCode).toBe(400)
    const forged = await post('/desk/release', { brake: 'hidden-field', csrf: 'forged' })
    expect(forged.statusCode).toBe(403)
    expect((await state()).held).toEqual({ ...nothingHeld, 'hidden-field': 3 })
  })

  it('says how many have heard nothing, and since when', async () => {
    const { store, state } = await opened()
    const silence = async () => (await state()).health.find(({ name }) => name === 'Silence')
    const at = Date.now() - 70 * 24 * HOUR_MS
    await store.list.importAll([{ email: email('ada'), subscribedAt: new Date(at) }])
    await store.list.add(email('bob'))
    await expect.poll(silence).toMatchObject({
      tone: 'warn',
      text: expect.stringMatching(/^1 person has heard nothing for 60 days or longer\b/),
      at,
    })
  })

  it('says visits without robots, and conversion', async () => {
    const { store, state } = await opened()
    await store.list.add(email('ada'))
    await store.visits.add(visitsNow(20))
    const { visits, conversion } = await state()
    expect(visits).toMatchObject({ first: 20, again: 2, robots: 7, isAny: true })
    expect(conversion).toEqual({ today: 5, week: 5 })
  })

  it('says where they come from, so that the numbers add up to all', async () => {
    const { store, state } = await opened()
    await store.list.add(email('ada'), { source: { source: 'hn' } })
    await store.list.add(email('bob'))
    await store.visits.add(visitsNow(20, [{ name: 'hn', number: 12 }]))
    const { sources } = await state()
    expect(sources).toEqual([
      { kind: 'source', name: 'hn', visits: 12, signUps: 1 },
      { kind: 'none', name: '', visits: 8, signUps: 1 },
    ])
  })

  it('names who signed up last, with a page that does not say their address', async () => {
    const { store, home, state } = await opened()
    await store.list.add(email('ada'), { source: { source: 'hn' } })
    const { latest } = await state()
    expect(latest).toEqual([
      {
        id: addressIds(home.linkKey).of(email('ada')),
        email: email('ada'),
        at: expect.any(Number),
        standing: 'subscribed',
        source: 'hn',
      },
    ])
  })

  it('says nothing of what is usual on the first day', async () => {
    const { store, state } = await opened()
    await store.list.add(email('ada'))
    expect((await state()).usual).toBeNull()
  })

  it('compares with the days before', async () => {
    const { store, state } = await opened()
    const subscribedAt = (day: number) => {
      const at = new Date()
      return new Date(at.getFullYear(), at.getMonth(), at.getDate() - day)
    }
    await store.list.importAll(
      [1, 2, 3, 4, 5].map((day) => {
        const at = subscribedAt(day)
        return { email: email(`${day}`), subscribedAt: at, signedUpAt: at }
      }),
    )
    // Each came in the first quarter of an hour of their day.
    const { usual } = await state()
    expect(usual).toBeGreaterThan(0)
    expect(usual).toBeLessThanOrEqual(1)
  })

  it('draws the curve by the hour on the first days, and as the address says', async () => {
    const { store, today } = await opened()
    expect((await today()).span).toBe('hour')
    const at = new Date(Date.now() - 20 * 24 * HOUR_MS)
    await store.list.importAll([{ email: email('old'), subscribedAt: at, signedUpAt: at }])
    expect((await today()).span).toBe('day')
    expect((await today('?span=week&sort=-visits')).span).toBe('week')
    expect((await today('?span=week&sort=-visits')).sort).toBe('-visits')
  })

  it('is shown whatever the address says', async () => {
    const { get } = await opened()
    for (const query of [
      '?span=%00',
      '?sort=__proto__',
      '?span=a&span=b',
      `?sort=${'x'.repeat(999)}`,
    ])
      expect((await get(`/desk${query}`)).statusCode).toBe(200)
  })
})

describe('the light of a replica', () => {
  const beside = () => {
    const folder = tempDir()
    const file = join(folder, 'subscribers.sqlite')
    writeFileSync(file, '')
    const wal = join(folder, '.subscribers.sqlite-litestream/generations/1/wal')
    const follow = (minutesAgo: number) => {
      mkdirSync(wal, { recursive: true })
      const at = new Date(Date.now() - minutesAgo * 60_000)
      writeFileSync(join(wal, '00000000.wal'), '')
      utimesSync(join(wal, '00000000.wal'), at, at)
    }
    return { folder, file, follow }
  }

  it('is out where no Litestream is, and on while it follows the file', async () => {
    const { file, follow } = beside()
    expect(await replicaLight(file)).toBeUndefined()
    follow(2)
    expect(await replicaLight(file)).toMatchObject({ tone: 'good', text: 'Litestream follows' })
    follow(20)
    expect(await replicaLight(file)).toMatchObject({
      tone: 'warn',
      text: 'Litestream stopped following',
      at: expect.closeTo(Date.now() - 20 * 60_000, -4),
    })
    // Nobody wrote since: there was nothing to follow.
    const before = new Date(Date.now() - 30 * 60_000)
    utimesSync(file, before, before)
    expect(await replicaLight(file)).toMatchObject({ tone: 'good' })
  })
})

describe('the health of all', () => {
  const lightsOf = async (state: () => Promise<TodayPage['state']>) =>
    Object.fromEntries((await state()).health.map(({ name, tone, text }) => [name, { tone, text }]))

  /** One light, of a store of which this is so, and of its copies. */
  async function lightOf(wanted: string, store: object, backups: object = {}) {
    const { home } = await openDesk()
    const given = {
      storeKind: 'sqlite',
      place: 'x',
      dataDir: home.dataDir,
      env: {},
      product,
    } as const
    const none = {
      last: async () => null,
      keptCopies: async () => [],
      rehearsals: async () => ({}),
    }
    const lights = await healthOf({
      ...given,
      store: { ...home.store, ...store },
      backups: { ...none, ...backups } as never,
    })()
    const light = lights.find(({ name }) => name === wanted)
    if (!light) throw new Error(`There is no light ${wanted}.`)
    return light
  }

  it('says what other systems have yet to be told, and why', async () => {
    const dataDir = tempDir()
    const file = join(dataDir, 'subscribers.sqlite')
    const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
    onTestFinished(() => store.close())
    const light = async () => {
      const given = {
        store,
        storeKind: 'sqlite',
        place: file,
        backups: undefined,
        dataDir,
        env: {},
        product,
      }
      return (await healthOf(given as never)()).find(({ name }) => name === 'Events')
    }
    expect(await light()).toBeUndefined()
    await store.events.open(['subscribed', 'forgotten'], 'a place', new Date())
    expect(await light()).toEqual({ name: 'Events', tone: 'good', text: 'nothing waits' })
    await store.list.add(email('ada'))
    await store.standings.forget(email('bob'))
    const answer = { kind: 'failed', failure: '503', isAway: true } as const
    for (const hours of [1, 24 * 8]) {
      const now = new Date(Date.now() + hours * HOUR_MS)
      const claimed = await store.events.claim(1, 1000, now)
      await store.events.settle(
        claimed.map((event) => ({ event, answer })),
        now,
      )
    }
    expect(await light()).toMatchObject({
      tone: 'bad',
      text: 'those of 2 people wait, 1 held: replay them at a terminal, 1 erasure not acknowledged, the receiver went away (503)',
    })
  })

  it('is in order at first, with what there is not', async () => {
    const { state } = await opened()
    expect(await lightsOf(state)).toMatchObject({
      Store: { tone: 'good', text: expect.stringMatching(/^SQLite, \d+ [kM]B$/) },
      'Last back-up': { tone: 'calm', text: "made by the store's provider" },
      'Mail server': { tone: 'calm', text: 'not set up' },
      Announcement: { tone: 'calm', text: 'none yet' },
    })
  })

  it('says of copies that are kept whether one was restored, to see that it can be', async () => {
    const dataDir = tempDir()
    const file = join(dataDir, 'subscribers.sqlite')
    const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
    onTestFinished(() => store.close())
    const { backups } = store
    const rehearsal = async () => {
      const given = {
        store,
        storeKind: 'sqlite',
        place: 'x',
        backups,
        dataDir,
        env: {},
        product,
      } as const
      return (await healthOf(given)()).find(({ name }) => name === 'Last rehearsal')
    }
    expect(await rehearsal()).toBeUndefined()
    const [at, good] = [new Date(Date.now() - 60_000), new Date(Date.now() - 50_000)]
    const content = { subscribers: 0, standings: {}, digest: '0'.repeat(64) }
    await backups.noteCopy({
      folder: '/copies',
      name: 'one.sqlite',
      at,
      bytes: 7,
      keep: '7,4,12',
      content,
    })
    expect(await rehearsal()).toMatchObject({ tone: 'good', text: 'not yet' })
    await backups.noteRehearsal({ at: good, copy: '/copies/one.sqlite', fault: undefined })
    expect(await rehearsal()).toMatchObject({ tone: 'good', text: '', at: good.getTime() })
    await backups.noteRehearsal({ at: new Date(), copy: '/copies/one.sqlite', fault: 'is damaged' })
    expect(await rehearsal()).toMatchObject({ tone: 'bad', text: 'failed' })
  })

  it('is not in order where a copy is older than a day and a half', async () => {
    const toneAt = async (hours: number) => {
      const last = async () => new Date(Date.now() - hours * HOUR_MS)
      return (await lightOf('Last back-up', {}, { last })).tone
    }
    expect([await toneAt(35.9), await toneAt(36.1)]).toEqual(['good', 'bad'])
  })

  it('says how many letters have yet to leave, and that a thousand are many', async () => {
    const of = (waiting: number) =>
      lightOf('Outbox', { outbox: { counts: async () => ({ waiting }) } })
    expect(await of(999)).toMatchObject({ tone: 'good', text: '999 letters to be sent' })
    expect(await of(1000)).toMatchObject({ tone: 'warn', text: '1,000 letters to be sent' })
  })

  it('says what became of the last announcement, and that letters failed', {
    tags: 'thorough',
  }, async () => {
    const of = (tally: Partial<Tally>) =>
      lightOf('Announcement', {
        ledger: {
          announcements: async () => [{ id: 'ask' }, { id: 'launch' }],
          tally: async () => ({ ...noTally, ...tally }),
        },
      })
    expect(await of({ sent: 7 })).toMatchObject({ tone: 'good', text: 'launch: 7 of 7 sent' })
    expect(await of({ sent: 6, failed: 1 })).toMatchObject({
      tone: 'warn',
      text: 'launch: 6 of 7 sent',
    })
    expect(await of({ sent: 4, queued: 2, sending: 1 })).toMatchObject({
      tone: 'calm',
      text: 'launch: 4 of 7 sent, 3 wait',
    })
  })

  it('says why nobody is said to have confirmed on Firestore, and a file says who has', async () => {
    const dataDir = tempDir()
    const file = join(dataDir, 'subscribers.sqlite')
    const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
    onTestFinished(() => store.close())
    const light = async (storeKind: 'sqlite' | 'firestore', CONFIRM: string) => {
      const given = {
        store,
        storeKind,
        place: file,
        backups: undefined,
        dataDir,
        env: { CONFIRM },
        product,
      }
      return (await healthOf(given)()).find(({ name }) => name === 'Who confirmed')
    }
    expect(await light('firestore', 'on')).toMatchObject({
      tone: 'calm',
      text: expect.stringMatching(/^counted at a terminal only/),
    })
    expect(await light('firestore', 'off')).toBeUndefined()
    expect(await light('sqlite', 'on')).toBeUndefined()
  })

  it('of a list from a copy that anybody may have written leads to the list, and names no command', async () => {
    const since = new Date('2027-01-01T00:00:00Z')
    const hold = { get: async () => ({ why: 'wrong', since }) }
    const light = await lightOf('A copy was restored', { hold })
    expect(light).toMatchObject({
      tone: 'bad',
      at: since.getTime(),
      link: { href: '/desk/people', label: 'Look at the list' },
    })
    expect(light.text).not.toContain('--')
  })

  it('says that the mail server is away, and keeps nobody waiting for it', async () => {
    const { state } = await opened({ SMTP_URL: 'smtp://127.0.0.1:9' })
    await expect
      .poll(async () => (await lightsOf(state))['Mail server'])
      .toMatchObject({ tone: 'bad', text: expect.stringContaining('ECONNREFUSED') })
  })

  it('says nothing of a secret in the address of the mail server', async () => {
    const { state, get } = await opened({ SMTP_URL: 'smtp://me:secret-word@127.0.0.1:9' })
    await expect.poll(async () => (await lightsOf(state))['Mail server']?.tone).toBe('bad')
    expect((await get('/desk')).body).not.toContain('secret-word')
  })
})

it('shows what it last read while the store is away, and says so', async () => {
  const { store, home, today, get } = await opened()
  await store.list.add(email('ada'))
  expect((await today()).state.trouble).toBeUndefined()
  renameSync(home.dataDir, `${home.dataDir}.away`)
  const { state } = await today()
  expect(state).toMatchObject({ trouble: 'The store cannot be reached', signUpsToday: 1 })
  // Who is forgotten at that time is not kept here.
  expect(state.latest).toEqual([])
  expect(state.health.find(({ name }) => name === 'Store')?.tone).toBe('bad')
  renameSync(`${home.dataDir}.away`, home.dataDir)
  expect((await today()).state.trouble).toBeUndefined()
  expect((await get('/desk')).statusCode).toBe(200)
})
