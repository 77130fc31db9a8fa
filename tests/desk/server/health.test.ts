import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import product from '../../../product.config.ts'
import { newHolder } from '../../../src/announcement/run/dead-run.ts'
import { diskFound } from '../../../src/checks/health.ts'
import { deskSettings } from '../../../src/config/programs.ts'
import type { TodayPage } from '../../../src/desk/contract/pages.ts'
import { type HealthParts, healthOf } from '../../../src/desk/server/health.ts'
import type { Environment } from '../../../src/product/environment.ts'
import { healthNote as shown } from '../../../src/report/makers/health.ts'
import { withCopy, withRehearsal } from '../../../src/store/backups.ts'
import type { Tally } from '../../../src/store/delivery-ledger.ts'
import { noTally } from '../../../src/store/delivery-ledger.ts'
import { openDesk } from '../../fixtures/desk.ts'
import { nothingHeld } from '../../fixtures/held-letters.ts'
import { ids } from '../../fixtures/keys.ts'
import { startRelay } from '../../fixtures/relay.ts'
import { sqliteStore } from '../../fixtures/taken-in.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const email = (who: string) => `${who}@example.com`
const HOUR_MS = 3_600_000

function openList(dataDir: string) {
  const file = join(dataDir, 'subscribers.sqlite')
  return {
    dataDir,
    file,
    store: sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} }),
  }
}

/** A list in a file, for as long as the test. */
function listInFile() {
  const list = openList(tempDir())
  onTestFinished(() => list.store.close())
  return list
}

/** A list with nobody on it, into which no test writes. */
let empty: ReturnType<typeof openList>
beforeAll(() => {
  empty = openList(mkdtempSync(join(tmpdir(), 'opening-bell-')))
})
afterAll(async () => {
  await empty.store.close()
  rmSync(empty.dataDir, { recursive: true, force: true })
})

/** All lights, of a list in a file of which all of this is so. */
function lightsOf({
  store,
  env = {},
  ...more
}: Omit<Partial<HealthParts>, 'store'> & { store?: object; env?: Environment } = {}) {
  return healthOf({
    place: empty.file,
    dataDir: empty.dataDir,
    settings: deskSettings(env),
    product,
    backups: undefined,
    ...more,
    store: { ...empty.store, ...store },
  })
}

const named = async (look: ReturnType<typeof healthOf>, wanted: string) =>
  (await look()).find(({ label }) => label === wanted)

const nothingWaits = { heldLetters: async () => nothingHeld }

describe('the health of all', () => {
  /** One light, of a store of which this is so, and of its copies. */
  async function lightOf(wanted: string, store: object, record: object = {}) {
    const backups = { record: async () => ({ kept: [], ...record }) }
    const light = await named(lightsOf({ store, backups: backups as never }), wanted)
    if (!light) throw new Error(`There is no light ${wanted}.`)
    return light
  }

  it('says what other systems have yet to be told, and why', async () => {
    const { store } = listInFile()
    const light = () => named(lightsOf({ store }), 'Events')
    expect(await light()).toBeUndefined()
    await store.events.open(['subscribed', 'forgotten'], 'a place')
    expect(await light()).toMatchObject({ label: 'Events', weight: 'good', text: 'nothing waits' })
    await store.list.add(email('ada'))
    await store.standings.forget(email('bob'))
    const answer = { kind: 'failed', failure: '503', isAway: true } as const
    for (const hours of [1, 24 * 8]) {
      const now = new Date(Date.now() + hours * HOUR_MS)
      const claimed = await store.events.claim(2, 1000, now)
      await store.events.settle(
        claimed.map((event) => ({ item: event, answer })),
        now,
      )
    }
    expect(await light()).toMatchObject({
      weight: 'bad',
      text: 'events of 2 people wait, those of 1 person are held, 1 erasure not acknowledged, the last ones were not taken (503)',
      at: expect.any(String),
    })
  })

  it('says nothing of events that are off, and that a receiver went away', async () => {
    const awaySince = Date.now() - HOUR_MS
    const of = (feed: object | undefined, counts: object = {}) =>
      named(
        lightsOf({
          store: {
            events: {
              feed: async () => feed,
              counts: async () => ({ people: 0, held: 0, forgotten: 0, ...counts }),
            },
          },
        }),
        'Events',
      )
    expect(await of({ isOn: false })).toBeUndefined()
    const failing = { since: awaySince, people: ['p1', 'p2', 'p3'] }
    expect(
      await of({ isOn: true, awaySince, failing, failure: '503' }, { people: 2 }),
    ).toMatchObject({
      label: 'Events',
      weight: 'look',
      text: 'events of 2 people wait, the receiver went away (503)',
      at: new Date(awaySince).toISOString(),
    })
  })

  it('is in order at first, with what there is not', async () => {
    const lights = await lightsOf()()
    expect(lights).toMatchObject([
      { label: 'Database', weight: 'good', text: expect.stringMatching(/^SQLite, \d+ [kM]B$/) },
      {
        label: 'Disk',
        weight: expect.any(String),
        text: expect.stringMatching(/^[\d.]+ [kMG]B free$/),
      },
      { label: 'Announcement', text: 'none yet' },
      { label: 'Mail server', text: 'not set up' },
    ])
  })

  it('says what the last count of everybody found, and nothing where that was nothing', async () => {
    const { store } = listInFile()
    await store.list.add(email('ada'))
    await store.counts.check(new AbortController().signal)
    expect(await store.counts.last()).toMatchObject({ wrong: [] })
    expect(await named(lightsOf({ store }), 'Counts')).toBeUndefined()
    const wrong = [{ name: 'is:subscribed', kept: 2, counted: 1 }]
    const counts = { last: async () => ({ unreadable: 0, wrong }) }
    expect(await lightOf('Counts', { counts })).toMatchObject({
      weight: 'bad',
      text: 'Counts of the list were wrong, and were put right: is:subscribed 2, not 1.',
    })
  })

  it('says of copies that are kept whether one was restored, to see that it can be', async () => {
    const { store } = listInFile()
    const { backups } = store
    const rehearsal = () => named(lightsOf({ store, backups }), 'Last test of a back-up')
    expect(await rehearsal()).toBeUndefined()
    const [at, good] = [new Date(Date.now() - 60_000), new Date(Date.now() - 50_000)]
    const one = { folder: '/copies', name: 'one.sqlite', bytes: 7, keep: '7,4,12' }
    await backups.change((record) => withCopy(record, { ...one, at }))
    const test = (at: Date, fault?: string) =>
      backups.change((record) => withRehearsal(record, at, fault))
    expect(await rehearsal()).toMatchObject({
      weight: 'good',
      text: 'none was tested yet',
    })
    await test(good)
    expect(await rehearsal()).toMatchObject({
      label: 'Last test of a back-up',
      weight: 'good',
      text: 'it came back whole',
      at: good.toISOString(),
    })
    await test(new Date(), 'is damaged')
    expect(await rehearsal()).toMatchObject({
      weight: 'bad',
      text: 'it cannot be restored: is damaged;',
    })
  })

  it('is not in order where the newest copy is older than two days', async () => {
    for (const [hours, weight, text] of [
      [47.9, 'good', ''],
      [48.1, 'bad', 'none is made any more; the last one was made'],
    ] as const) {
      const at = new Date(Date.now() - hours * HOUR_MS)
      const kept = { kept: [{ at }] }
      const is = { weight, text, at: at.toISOString() }
      expect(await lightOf('Last back-up', {}, kept)).toMatchObject(is)
      expect((await lightOf('Last test of a back-up', {}, kept)).weight).toBe('good')
    }
  })

  it('asks for a first copy as soon as somebody is on the list', async () => {
    const { store } = listInFile()
    const light = () => named(lightsOf({ store, backups: store.backups }), 'Last back-up')
    expect(await light()).toMatchObject({ label: 'Last back-up', text: 'never' })
    await store.list.add(email('ada'))
    expect(await light()).toMatchObject({ label: 'Last back-up', weight: 'look', text: 'never' })
  })

  it('warns where copies are made, and none was restored for nine days', async () => {
    const at = (days: number) => new Date(Date.now() - days * 24 * HOUR_MS)
    const kept = (oldest: number) => ({ kept: [{ at: at(oldest) }, { at: at(0.5) }] })
    expect((await lightOf('Last test of a back-up', {}, kept(8))).weight).toBe('good')
    expect((await lightOf('Last test of a back-up', {}, kept(10))).weight).toBe('look')
    const lastGood = { at: at(10), copy: 'x', fault: undefined }
    const tested = { rehearsal: lastGood, goodRehearsal: lastGood }
    expect(await lightOf('Last test of a back-up', {}, { ...kept(20), ...tested })).toMatchObject({
      weight: 'look',
      at: lastGood.at.toISOString(),
    })
  })

  it('says how large the list is, and what it is kept in', async () => {
    const folder = tempDir()
    const [place, log] = ['list.sqlite', 'list.sqlite-wal'].map((name) => join(folder, name))
    const sizes: [number, number, string][] = [
      [0, 0, '1 kB'],
      [999_500, 0, '1 MB'],
      [400_000_000, 599_000_000, '999 MB'],
      [999_500_000, 0, '1.0 GB'],
      [10_400_000_000, 0, '10 GB'],
    ]
    for (const [list, beside, text] of sizes) {
      for (const [file, bytes] of [[place, list] as const, [log, beside] as const]) {
        writeFileSync(String(file), '')
        truncateSync(String(file), bytes)
      }
      expect(await named(lightsOf({ place: String(place) }), 'Database')).toMatchObject({
        label: 'Database',
        weight: 'good',
        text: `SQLite, ${text}`,
      })
    }
  })

  it('warns of a disk that is nearly full', async () => {
    const of = (freeGb: number, sizeGb: number) =>
      diskFound({ bavail: freeGb * 1000, bsize: 1_000_000, blocks: sizeGb * 1000 }).map(shown)[0]
    expect(of(20, 100)).toMatchObject({ label: 'Disk', weight: 'good', text: '20 GB free' })
    expect(of(5, 100)?.weight).toBe('good')
    expect(of(4.9, 100)?.weight).toBe('look')
    expect(of(1, 10)?.weight).toBe('good')
    expect(of(0.9, 10)).toMatchObject({ label: 'Disk', weight: 'look', text: '900 MB free' })
    expect(of(0.25, 1)?.weight).toBe('look')
    expect(of(0.2, 1)).toMatchObject({ label: 'Disk', weight: 'bad', text: '200 MB free' })
    expect(of(0, 0)).toBeUndefined()
    expect(diskFound(null)).toEqual([])
    expect(await named(lightsOf({ dataDir: '/not/there' }), 'Disk')).toBeUndefined()
  })

  it('says on which day a provider refused letters to many', async () => {
    const many = async () => [{ domain: 'one.org', day: '2026-01-02', people: 30, of: 60 }]
    expect(await named(lightsOf({ store: { refusals: { many } } }), 'Refused')).toMatchObject({
      weight: 'bad',
      text: expect.stringContaining('30 of your 60 people there on 2026-01-02'),
    })
    expect(await named(lightsOf({}), 'Refused')).toBeUndefined()
  })

  it('says that the list is to be erased, and when its time ended', async () => {
    const { store } = listInFile()
    const kept = { ...product, retain: '3 days after opening' }
    const light = () => named(lightsOf({ store, product: kept }), 'The list is to be erased')
    const openedAt = new Date(Date.now() - 4 * 24 * HOUR_MS)
    const opening = { get: async () => ({ openedAt, at: openedAt }) }
    Object.assign(store, { opening })
    expect(await light()).toBeUndefined()
    await store.list.add(email('ada'))
    expect(await light()).toMatchObject({
      label: 'The list is to be erased',
      weight: 'bad',
      text: '1 person is still on it, and should have been erased',
      at: new Date(openedAt.getTime() + 3 * 24 * HOUR_MS).toISOString(),
      act: { words: 'To erase them', command: 'forget --everybody' },
    })
    await store.list.add(email('bob'))
    expect((await light())?.text).toMatch(/^2 people are still on it, /)
    expect(await named(lightsOf({ store }), 'The list is to be erased')).toBeUndefined()
  })

  it('says how many letters have yet to leave, and that a thousand are many', async () => {
    const of = (waiting: number) =>
      lightOf('Outbox', { requests: { ...nothingWaits, counts: async () => ({ waiting }) } })
    expect(await of(1)).toMatchObject({ weight: 'good', text: '1 confirmation letter to be sent' })
    expect(await of(999)).toMatchObject({
      weight: 'good',
      text: '999 confirmation letters to be sent',
    })
    expect(await of(1000)).toMatchObject({
      weight: 'look',
      text: '1,000 confirmation letters to be sent',
    })
  })

  it('has an outbox where letters wait or are asked for', async () => {
    const light = async (CONFIRM: string, waiting: number) => {
      const requests = { ...nothingWaits, counts: async () => ({ waiting }) }
      return (await named(lightsOf({ env: { CONFIRM }, store: { requests } }), 'Outbox'))?.text
    }
    expect(await light(' on ', 0)).toBe('nothing waits')
    expect(await light('off', 0)).toBeUndefined()
    expect(await light('off', 1)).toBe('1 confirmation letter to be sent')
  })

  it('says what became of the last announcement, and that letters failed', {
    tags: 'thorough',
  }, async () => {
    const of = (tally: Partial<Tally>) =>
      lightOf('Announcement', {
        ledger: {
          announcements: async () => [{ id: 'launch', tally: { ...noTally(), ...tally } }],
        },
        lock: { run: async () => undefined },
      })
    expect(await of({ sent: 7 })).toMatchObject({ weight: 'good', text: 'launch: 7 of 7 sent' })
    expect(await of({ sent: 6, failed: 1 })).toMatchObject({
      weight: 'look',
      text: 'launch: 6 of 7 sent, 1 failed',
    })
    // Those left out and those forgotten are not to get it, as on the letter's page.
    expect(await of({ sent: 4, suppressed: 2, forgotten: 1 })).toMatchObject({
      text: 'launch: 4 of 4 sent',
    })
    expect(await of({ sent: 4, queued: 2, sending: 1 })).toMatchObject({
      weight: 'look',
      text: 'launch: 4 sent, 3 still in the queue',
    })
  })

  it('says of an announcement whether it runs or has stopped', async () => {
    const tally = { ...noTally(), sent: 5, queued: 1499 }
    const light = (run?: object) =>
      lightOf('Announcement', {
        lock: { run: async () => run },
        ledger: {
          announcements: async () => [{ id: 'launch', tally }],
        },
      })
    const done = 'launch: 5 sent'
    const run = { ...newHolder(), isHeld: true, notes: {} }
    // Also while it only waits to try somebody again.
    expect(await light(run)).toMatchObject({ weight: 'good', text: `${done}, running` })
    const queue = `${done}, 1,499 still in the queue`
    expect(await light()).toMatchObject({ weight: 'look', text: queue })
    // Its process has ended, or its number is another's by now.
    for (const gone of [{ pid: 2 ** 22 + 1 }, { owner: 'x@1' }, { isHeld: false }])
      expect(await light({ ...run, ...gone })).toMatchObject({
        weight: 'look',
        text: `${queue}. The last run was interrupted. It can go on where it ended: nobody gets it twice.`,
      })
    const ended = (why: string) => ({ ...run, isHeld: false, notes: { end: { why, answer: '' } } })
    expect((await light(ended('interrupted'))).text).toBe(
      `${queue}. Stopped, with everything under way finished.`,
    )
    expect(await light(ended('failing'))).toMatchObject({
      weight: 'look',
      text: `${queue}. Stopped: more than 5 % of the last letters failed or bounced.`,
    })
  })

  it('of a list from a copy that anybody may have written names the command that ends it', async () => {
    const since = new Date('2027-01-01T00:00:00Z')
    const hold = { get: async () => ({ isBelieved: false, since }) }
    const light = await lightOf('A copy was restored', { hold })
    expect(light).toMatchObject({
      weight: 'bad',
      at: since.toISOString(),
      act: { command: 'restore --list-is-right' },
    })
  })

  it('says how the mail server answers, asks it once a minute, and keeps nobody waiting for it', async () => {
    const relay = await startRelay()
    onTestFinished(() => relay.close())
    const look = lightsOf({ env: { SMTP_URL: ` ${relay.url} ` } })
    const light = () => named(look, 'Mail server')
    expect(await light()).toMatchObject({ label: 'Mail server', text: 'being asked' })
    await expect.poll(light).toMatchObject({
      label: 'Mail server',
      weight: 'good',
      text: expect.stringMatching(/^answers in \d+ ms$/),
    })
    await light()
    expect(relay.connections()).toBe(1)
    expect(await named(lightsOf({ env: { SMTP_URL: 'no address' } }), 'Mail server')).toMatchObject(
      {
        text: 'not set up',
      },
    )
  })

  it('says that the mail server is away, and nothing of a secret in its address', async () => {
    const { get } = await openDesk({ env: { SMTP_URL: 'smtp://me:secret-word@127.0.0.1:9' } })
    const light = async () =>
      ((await get('/desk')).page as TodayPage).state.health.find(
        ({ label }) => label === 'Mail server',
      )
    await expect
      .poll(light)
      .toMatchObject({ weight: 'bad', text: expect.stringContaining('ECONNREFUSED') })
    expect((await get('/desk')).body).not.toContain('secret-word')
  })

  it('says how long people have heard nothing', async () => {
    const silence = (store: object) => {
      const look = lightsOf({ store })
      return expect.poll(() => named(look, 'Silence'))
    }
    const { store } = listInFile()
    const at = Date.now() - 70 * 24 * HOUR_MS
    await store.list.importAll([
      { email: email('ada'), subscribedAt: new Date(at) },
      { email: email('bob'), subscribedAt: new Date(at + HOUR_MS) },
    ])
    await silence(store).toMatchObject({
      label: 'Silence',
      weight: 'look',
      text: 'For 2 people, the last sign-up or letter from here was 60 days ago or longer. The longest silence began',
      at: new Date(at).toISOString(),
      act: {
        words: 'To ask whether they still want to be told',
        command: 'announce --still-interested letter.md',
      },
    })
    const growth = {
      ...store.growth,
      before: () => Promise.reject(new Error('away')),
    }
    await silence({ ...store, growth }).toMatchObject({
      label: 'Silence',
      weight: 'look',
      text: 'could not be counted',
    })
  })
})
