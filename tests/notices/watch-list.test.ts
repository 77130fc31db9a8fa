import { expect, it, onTestFinished, vi } from 'vitest'
import { storeWatch } from '../../src/notices/store-away.ts'
import { backupsFound } from '../../src/notices/watch-backups.ts'
import { watchList } from '../../src/notices/watch-list.ts'
import { rounds } from '../../src/queue/sending-round.ts'
import type { Answer } from '../../src/queue/waiting-line.ts'
import type { AlarmKind, AlarmState } from '../../src/store/notices.ts'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'
import { nothingHeld } from '../fixtures/held-letters.ts'
import { HOUR, MINUTE, teller, virtualClock } from './stage.ts'

/** A store each part of which can do all of this. */
const withParts = (all: object) =>
  ({
    ...all,
    notices: all,
    requests: all,
    lock: all,
    ledger: all,
    events: all,
    refusals: all,
    counts: all,
    inbox: all,
  }) as never

/** What a list says of which nothing is wrong. */
const calm = {
  quarantinedSince: async () => 0,
  heldLetters: async () => nothingHeld,
  feed: async () => undefined as object | undefined,
  abandoned: async () => undefined as string | undefined,
  findAnnouncement: async () => undefined as object | undefined,
  many: async () => [] as object[],
  last: async () => undefined as object | undefined,
  waiting: async () => ({ entries: 0, setAside: 0, seconds: 0, isOtherKey: false }),
}

/** The events of alarms in one look at a list. @param known of the announcement's; no other was on. */
async function seenOnce(now: Date, about: object, overdue?: () => Promise<number>, known?: object) {
  const events: { readonly type: string; readonly data: { readonly alarm?: unknown } }[] = []
  const store = {
    ...calm,
    changeAlarm: async (
      kind: string,
      decide: (known: unknown) => { event?: (typeof events)[0] },
    ) => {
      const { event } = decide(kind === 'announcement' ? known : undefined)
      if (event) events.push(event)
    },
    ...about,
  }
  const watched = { store: withParts(store), backups: undefined, since: now }
  await watchList({ ...watched, ...(overdue && { overdue }) }, now)
  return events
}

/** What is told of the alarms of a list that is looked at every hour. */
function watching() {
  const clock = virtualClock()
  const alarms = new Map<AlarmKind, AlarmState>()
  let [quarantined, network, held] = [0, 0, 0]
  const told: string[] = []
  const store = {
    ...calm,
    quarantinedSince: async () => quarantined,
    heldLetters: async () => ({ ...nothingHeld, network }),
    feed: async () => ({ isOn: true }),
    counts: async () => ({ people: held, held, forgotten: 0 }),
    async changeAlarm(kind: AlarmKind, decide: (known?: AlarmState) => object) {
      const { alarm, event } = decide(alarms.get(kind)) as {
        alarm?: AlarmState
        event?: { type: string }
      }
      if (alarm) alarms.set(kind, alarm)
      if (event) told.push(`${kind} ${event.type}`)
    },
  }
  return async (next: { quarantined?: number; network?: number; held?: number }) => {
    ;({ quarantined = 0, network = 0, held = 0 } = next)
    clock.goOn(HOUR)
    await watchList(
      { store: withParts(store), backups: undefined, since: new Date(0) },
      clock.now(),
    )
    return told.splice(0)
  }
}

it.each([
  ['quarantine', 'quarantined', [99, 100, 60, 100, 50, 49, 60]],
  ['letters', 'network', [9, 10, 5, 10, 1, 0, 5]],
  ['events', 'held', [0, 1, 2, 2, 1, 0, 0]],
] as const)(
  'the alarm of %s ends far below where it begins, so that it does not ring all day',
  async (alarm, what, numbers) => {
    const look = watching()
    const told = []
    for (const number of numbers) told.push(await look({ [what]: number }))
    const [began, ended] = [[`${alarm} alarm.began`], [`${alarm} alarm.ended`]]
    expect(told).toEqual([[], began, [], [], [], ended, []])
  },
)

it.each([
  ['less than an hour', HOUR - 1, 1, true, []],
  ['an hour', HOUR, 1, true, ['events alarm.began']],
  ['an hour, with nothing to tell it', HOUR, 0, true, []],
  ['an hour, and is asked no more', HOUR, 1, false, []],
] as const)(
  'a receiver of events that has been away for %s',
  async (_, awayMs, people, isOn, alarms) => {
    const now = new Date()
    const failing = { since: now.getTime() - awayMs, people: ['p'] }
    const events = await seenOnce(now, {
      feed: async () => ({ isOn, failing }),
      counts: async () => ({ people, held: 0, forgotten: 0 }),
    })
    expect(events.map(({ type, data }) => `${data.alarm} ${type}`)).toEqual(alarms)
  },
)

it.each([
  [
    'none was made for two days',
    {},
    49,
    { why: 'stopped', hours: 49, command: 'bin/opening-bell backup --to=FOLDER', last: null },
  ],
  ['none was made for less', {}, 48, {}],
  ['the service made none', { isService: true }, 49, { command: 'sudo x backup' }],
  ['none is made any more', { kept: 49 }, 99, { why: 'stopped', hours: 49 }],
  ['they go on', { kept: 48 }, 99, {}],
  [
    'a copy did not come back',
    { isService: true, kept: 1, fault: 'lost' },
    99,
    { why: 'rehearsal-failed', command: 'sudo x backup --rehearse' },
  ],
  [
    'none was tried for nine days',
    { kept: 1, oldest: 217 },
    999,
    { why: 'rehearsal-overdue', command: 'bin/opening-bell backup --rehearse --to=FOLDER' },
  ],
  ['none was tried for less', { kept: 1, oldest: 216 }, 999, {}],
  ['they stop, and none was tried', { kept: 49, oldest: 999 }, 999, { why: 'stopped' }],
] as [
  string,
  { isService?: boolean; kept?: number; oldest?: number; fault?: string },
  number,
  object,
][])('back-ups, where %s', (_, { isService = false, kept, oldest = kept, fault }, hours, found) => {
  vi.stubEnv('OPENING_BELL_COMMAND', isService ? 'sudo x' : undefined)
  const now = new Date()
  const ago = (given: number) => new Date(now.getTime() - given * HOUR)
  const copy = { folder: '/copies', name: 'one', bytes: 1, keep: '7,4,12' }
  const state = {
    kept: [oldest, kept].flatMap((at) => (at ? [{ ...copy, at: ago(at) }] : [])),
    rehearsal: fault === undefined ? undefined : { at: now, copy: '/copies/one', fault },
    goodRehearsal: undefined,
  }
  const data = backupsFound(state, isService, ago(hours), now)
  expect(data).toMatchObject(found)
  expect('why' in data).toBe(Object.keys(found).length > 0)
})

it('tells that a provider refused many, which is none of their faults', async () => {
  const many = [{ domain: 'example.org', day: '2026-01-02', people: 30, of: 60 }]
  const [began, ...others] = await seenOnce(new Date(), { many: async () => many })
  expect([began?.data, others]).toMatchObject([{ alarm: 'refusals', many }, []])
})

it('tells of people who cannot be read, and of counts that were wrong', async () => {
  const counted = { at: new Date(), unreadable: 2, wrong: [{ name: 'x', kept: 1, counted: 2 }] }
  const [began] = await seenOnce(new Date(), { last: async () => counted })
  const { at: _, ...damage } = counted
  expect(began?.data).toMatchObject({ alarm: 'counts', ...damage })
  const whole = { ...counted, unreadable: 0, wrong: [] }
  expect(await seenOnce(new Date(), { last: async () => whole })).toEqual([])
})

it('tells of sign-ups that wait for longer than a minute, and of those that could not be taken in', async () => {
  const none = { entries: 0, setAside: 0, seconds: 0, isOtherKey: false }
  const told = async (some: object) =>
    (await seenOnce(new Date(), { waiting: async () => ({ ...none, ...some }) })).map(
      ({ data }) => data.alarm,
    )
  expect(await told({ entries: 9, seconds: 60 })).toEqual([])
  for (const wrong of [
    { entries: 9, seconds: 61 },
    { setAside: 1 },
    { entries: 1, isOtherKey: true },
  ])
    expect(await told(wrong)).toEqual(['waiting'])
})

it('tells how many are still on a list whose time is over', async () => {
  const told = [0, 7].map(async (number) => {
    const events = await seenOnce(new Date(), {}, async () => number)
    return events.map(({ data }) => data)
  })
  expect(await Promise.all(told)).toMatchObject([[], [{ alarm: 'retention', number: 7 }]])
})

it('says once what keeps every notice from being sent, and again when that is another fault', async () => {
  let [fault, opened] = [new TypeError('of ours'), 0]
  const open = () => {
    opened += 1
    return Promise.reject(fault)
  }
  const telling = teller({
    store: withParts({ open }),
    clock: virtualClock(),
    urls: [],
    everyMs: 1,
  })
  const running = rounds(telling)
  onTestFinished(running.close)
  await expect.poll(() => opened).toBeGreaterThan(3)
  expect(telling.said).toEqual(['Notices cannot be sent: TypeError'])
  fault = new RangeError('of ours')
  await expect.poll(() => telling.said).toHaveLength(2)
  expect(telling.said[1]).toBe('Notices cannot be sent: RangeError')
})

it('goes on watching when the clock was put back', async () => {
  const clock = virtualClock()
  const looks = { list: 0, writable: 0 }
  const look = (name: keyof typeof looks, found: unknown) => async () => {
    looks[name] += 1
    return found
  }
  const store = {
    ...calm,
    open: async () => new Date(0),
    noteMilestones: async () => {},
    checkWritable: look('writable', undefined),
    quarantinedSince: look('list', 0),
    changeAlarm: async () => {},
    noteEvent: async () => {},
  }
  const { round } = teller({ store: withParts(store), clock, urls: [] })
  await round()
  await round()
  expect(looks).toEqual({ list: 1, writable: 1 })
  clock.goOn(-1)
  await round()
  expect(looks).toEqual({ list: 2, writable: 2 })
})

it.each([
  ['that is whole', { eligible: 2 }, false, undefined],
  ['that is not whole', { eligible: 2 }, true, 'launch'],
  ['whose recipients were not counted', {}, false, 'launch'],
] as const)(
  'the alarm of an announcement that was left: one %s',
  async (_, given, isUnfinished, told) => {
    const [event] = await seenOnce(new Date(), {
      abandoned: async () => 'launch',
      findAnnouncement: async () => ({
        ...{ id: 'launch', ...given },
        tally: { queued: isUnfinished ? 1 : 0, sending: 0 },
      }),
    })
    expect(event?.data).toEqual(told && expect.objectContaining({ announcement: told }))
  },
)

it('tells once more, a day later, why an announcement stopped by itself', async () => {
  const now = new Date()
  const data = { announcement: 'launch', why: 'failing' }
  const began = { isOn: true, since: now.getTime() - 24 * HOUR, isReminded: false, data }
  const event = { type: 'alarm.goes_on', data: { alarm: 'announcement', ...data } }
  for (const one of [undefined, { id: 'launch' }]) {
    const about = { abandoned: async () => 'launch', findAnnouncement: async () => one }
    expect(await seenOnce(now, about, undefined, began)).toMatchObject([event])
  }
})

it('tells each place once that the store is away, and says which could not be told', async () => {
  const clock = virtualClock()
  const asked = { near: 0, slow: 0, deaf: 0 }
  const place = (label: keyof typeof asked, answers: (times: number) => Answer['kind']) => ({
    label,
    send: async () => {
      asked[label] += 1
      return { kind: answers(asked[label]), answer: 'x' }
    },
  })
  const places = [
    place('near', () => 'taken'),
    place('slow', (times) => (times < 3 ? 'failed' : 'taken')),
    place('deaf', () => 'failed'),
  ]
  const errors: string[] = []
  const look = storeWatch({
    store: { checkWritable: () => Promise.reject(new StoreUnavailable('away')) },
    places: places as never,
    appId: 'test',
    now: clock.now,
    log: { warn() {}, error: (text: string) => void errors.push(text) } as never,
  })
  for (let minute = 0; minute < 30; minute += 1) {
    await look()
    clock.goOn(MINUTE)
  }
  expect(asked).toEqual({ near: 1, slow: 3, deaf: 10 })
  expect(errors).toEqual(['These could not be told that the store is away: deaf'])
})

it('does not say that the store is back while it is away again, even for a moment', async () => {
  const clock = virtualClock()
  let isAway = true
  const look = storeWatch({
    store: { checkWritable: async () => isAway && Promise.reject(new StoreUnavailable('away')) },
    places: [],
    appId: 'test',
    now: clock.now,
    log: { warn() {}, error() {} } as never,
  } as never)
  const told = async () => (await look())?.type
  await told()
  clock.goOn(MINUTE)
  await told()
  isAway = false
  expect(await told()).toBeUndefined()
  clock.goOn(5 * MINUTE)
  isAway = true
  expect(await told()).toBeUndefined()
  isAway = false
  expect(await told()).toBe('alarm.ended')
})
