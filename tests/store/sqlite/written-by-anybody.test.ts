import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, it } from 'vitest'
import { noteEnd, noteGoingOn } from '../../../src/announcement/note-end.ts'
import { webhookFormat } from '../../../src/notices/formats.ts'
import { inWords } from '../../../src/notices/words.ts'
import { eventTypes } from '../../../src/shared/event-types.ts'
import { ids } from '../../fixtures/keys.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { toldAt } from '../../fixtures/told.ts'

const [ada, bob] = ['ada@example.com', 'bob@example.com']
const HOUR = 3_600_000
const at = new Date().toISOString()
const later = (ms: number) => new Date(Date.now() + ms)

function opened() {
  const file = join(tempDir(), 'store.sqlite')
  const store = storeOnFile(file)
  const write = (sql: string, ...values: (string | number)[]) => {
    const db = new DatabaseSync(file)
    db.prepare(sql).run(...values)
    db.close()
  }
  return { store, write }
}

let { store, write } = {} as ReturnType<typeof opened>
beforeEach(() => {
  ;({ store, write } = opened())
})

const open = () => store.events.open(eventTypes, 'a place')
const told = async () => {
  const claimed = await store.events.claim(8, 1000, later(1000))
  return claimed.map(({ email }) => email)
}

it.each([
  'nothing',
  'null',
  '[]',
  '{"isOn":true,"types":5}',
  '{"isOn":true,"types":["subscribed"],"place":"a place","since":1,"failing":{"since":2,"people":3}}',
])(
  'a feed of events that is %s keeps nobody from signing up, and is there again with the next start',
  async (data) => {
    await open()
    write("UPDATE notes SET data = ? WHERE name = 'eventFeed'", data)
    await store.list.add(ada)
    expect(await store.list.find(ada)).toBeDefined()
    await open()
    await store.list.add(bob)
    const claimed = await store.events.claim(8, 1000, later(1000))
    expect(claimed.map(({ email }) => email)).toContain(bob)
    const answer = { kind: 'failed', failure: '500', isAway: true } as const
    await store.events.settle(
      claimed.map((item) => ({ item, answer })),
      later(1000),
    )
    expect(await store.events.feed()).toMatchObject({ failure: '500', types: eventTypes })
  },
)

it('lines that say that they are due and are not keep no other from being sent', async () => {
  await open()
  await store.list.add(ada)
  for (let i = 0; i < 20; i++)
    write(
      `INSERT INTO queue SELECT 'events', ?, 0, ?, json_set(data, '$.dueAt', ?)
        FROM queue WHERE kind = 'events' LIMIT 1`,
      ...[`line ${i}`, i < 10 ? 0 : Date.now(), Date.now() + HOUR],
    )
  write(`UPDATE queue SET tries = 1 WHERE id = ?`, ids.person(ids.of(ada)))
  const all: (string | undefined)[] = []
  for (let round = 0; round < 4; round++) all.push(...(await told()))
  expect(all).toEqual([ada])
})

const place = 'webhook:somewhere'
const waiting = () => toldAt(store, place)

it('a notice that cannot be read is said to be that, and those after it arrive', async () => {
  await store.notices.open([place], new Date())
  const rows = [
    ['alarm.began', at, 'no JSON'],
    ['day.ended', at, { sources: [[{ toString: 1 }, 2]], from: 'x', to: 'y' }],
    ['alarm.began', at, { alarm: 'refusals', many: 5, since: 'x' }],
    ['alarm.ended', at, { alarm: { toString: 1 } }],
  ]
  const items = rows.map(([type, at, data]) => ({ id: `evt_${'x'.repeat(22)}`, type, at, data }))
  write(
    "UPDATE queue SET data = json_set(data, '$.items', json(?))",
    JSON.stringify([
      { notices: [...items, 5, { ...items[1], id: 'a\nb' }, { ...items[1], at: 'soon' }] },
      ...[5, { notices: 5 }, { notices: [] }],
    ]),
  )
  await store.notices.noteEvent({ key: 'k', type: 'test', at: new Date(), data: {} })
  const notices = (await waiting()) ?? []
  const titles = notices.map((one) => inWords(one, 'Bell').title)
  const unread = 'Bell: a notice of a later version'
  expect(titles).toEqual([unread, unread, unread, unread, 'Bell: a test'])
  const message = { id: 'm', notices }
  expect(JSON.parse(webhookFormat(message, { product: 'Bell' }))).toBeDefined()
})

it.each([
  'no JSON',
  '[]',
  '{"since":9e15,"items":[]}',
  '{"since":1,"items":5,"dueAt":1}',
  '{"since":1,"items":[],"dueAt":1,"lease":5,"tries":[1],"lastAt":9e15,"heldAt":9e15,"givenUp":[1]}',
])('a place that is %s is told of the next notice', async (data) => {
  await store.notices.open([place], new Date())
  write('UPDATE queue SET data = ?', data)
  expect(Number(await store.notices.open([place], new Date()))).toBeLessThanOrEqual(Date.now())
  await store.notices.noteEvent({ key: 'k', type: 'test', at: new Date(), data: {} })
  const taken = await store.notices.claim(place, 1000, new Date())
  expect(taken?.notices).toMatchObject([{ type: 'test' }])
})

it.each([
  'no JSON',
  'null',
  '5',
  '{"isOn":true}',
  '{"isOn":true,"since":9e15,"data":{}}',
  '{"isOn":true,"since":1,"calmSince":9e15,"data":{}}',
])('an alarm that is %s keeps no other from being told', async (data) => {
  await store.notices.open([place], new Date())
  write("INSERT INTO notes (name, data) VALUES ('alarm:announcement', ?)", data)
  await noteGoingOn(store.notices, 'launch')
  await noteEnd(store.notices, 'launch', { why: 'done' })
  await noteEnd(store.notices, 'launch', { why: 'unready' })
  expect((await waiting())?.at(-1)).toMatchObject({ type: 'alarm.began' })
})

it('a delivery and an announcement of no time end, and are shown', async () => {
  await store.list.importAll([{ email: ada, subscribedAt: new Date() }])
  for (const owner of ['me', 'you']) {
    await store.lock.acquire({ owner, host: 'here', pid: 1 }, HOUR, 'me')
    const begun = await store.ledger.begin(owner, 'launch', { subject: 'a', digest: 'd' })
    if (owner === 'me') await store.ledger.enlist('me', 'launch', [{ number: begun.upTo }])
    if (owner === 'me') await store.ledger.claim('me', 'launch', { limit: 1, which: 'untried' })
    write("UPDATE deliveries SET changedAt = 'zzz'")
    write("UPDATE announcements SET begunAt = 'zzz'")
  }
  const times: Date[] = []
  for await (const at of store.ledger.toldSince(later(-HOUR))) times.push(at)
  expect(times).toEqual([new Date(0)])
  expect(await store.ledger.announcements()).toMatchObject([{ begunAt: new Date(0) }])
  expect(await store.ledger.settle('you', 'launch')).toBe(1)
  expect(await store.ledger.deliveriesTo(ada)).toMatchObject([{ status: 'uncertain' }])
})
