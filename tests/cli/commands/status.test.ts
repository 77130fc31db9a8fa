import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { newHolder } from '../../../src/announcement/run/dead-run.ts'
import { type StatusOptions, status } from '../../../src/cli/commands/status.ts'
import { parseEmail } from '../../../src/shared/email.ts'
import { nothingHeld } from '../../../src/shared/held-letters.ts'
import { noTally } from '../../../src/store/delivery-ledger.ts'
import type { Run } from '../../../src/store/run-lock.ts'
import type { SqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { HOUR_MS } from '../../../src/store/visits.ts'
import { localTime } from '../../../src/terminal/words.ts'
import { restorePeople } from '../../fixtures/restored.ts'
import { listening } from '../../fixtures/spoken.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'

it('an alarm can be copied into a shell, whatever somebody signed up as', async () => {
  const store = storeOnFile()
  const name = "a`echo$ran`'&b|c"
  for (let i = 0; i < 5; i += 1) {
    const email = parseEmail(`${name}+${i}@flood.example`)
    expect(email).toBeDefined()
    await store.list.add(email ?? '')
  }
  const { out, result } = listening()
  await status(store, { name: 'Meridian', lastBackup: null }, out)
  // Else the operator forgets the owner with what a stranger typed in their name.
  expect(result()).toContain('Robots may have typed these addresses, and some may be real.')
  const [, line = ''] = /LOOK: 5 .*To see them: \S+ (.*)\n/.exec(result()) ?? []
  const { stdout } = spawnSync('sh', ['-c', `printf '%s\n' ${line}`], { encoding: 'utf8' })
  expect(stdout.trim().split('\n')).toEqual([
    ...['list', '--since', expect.stringMatching(/^\d{4}-\d\d-\d\d$/), '--mailbox'],
    `${name}@flood.example`,
  ])
})

it('says what a clock was, where it was ahead when the last back-up was made', async () => {
  const store = storeOnFile()
  const { out, result } = listening()
  const lastBackup = new Date(Date.now() + 30 * HOUR_MS)
  await status(store, { name: 'Meridian', lastBackup }, out)
  expect(result()).toMatch(/Last back-up +\d{4}-\d\d-\d\d \S+.*, by a clock that was ahead\n/)
  expect(result()).not.toContain('days ago')
  // What there is nothing of has no line.
  const heads = result()
    .split('\n\n')
    .map((part) => part.slice(0, 6))
  expect(heads).toEqual(['Meridi', 'Subscr', 'Visits', 'Sign-u', 'Last b'])
})

it('says how many have heard nothing, and since when', async () => {
  const store = storeOnFile()
  const said = async (json = false) => {
    const { out, result } = listening()
    await status(store, { name: 'Meridian', lastBackup: null, json }, out)
    return result()
  }
  await store.list.add('ada@example.com')
  expect(await said()).not.toContain('or letter from here')
  expect(JSON.parse(await said(true)).heardNothing).toEqual({ people: 0, since: null })
  const since = new Date(2026, 4, 3, 12)
  await store.list.importAll([
    { email: 'bob@example.com', subscribedAt: since },
    { email: 'cleo@example.com', subscribedAt: new Date(2026, 5, 3) },
  ])
  expect(await said()).toContain(
    'For 2 people, the last sign-up or letter from here was 60 days ago or longer, the longest since 2026-05-03. ',
  )
  const found = { people: 2, since: since.toISOString() }
  expect(JSON.parse(await said(true)).heardNothing).toEqual(found)
})

describe('visits and sources', () => {
  async function open() {
    const store = storeOnFile()
    async function said(json = false) {
      const { out, result } = listening()
      await status(store, { name: 'Meridian', lastBackup: null, json }, out)
      return result()
    }
    return { store, said }
  }

  /** Today and twenty days ago. */
  async function visit(store: SqliteStore) {
    const now = new Date()
    for (const daysAgo of [0, 20]) {
      const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - daysAgo * 24 * HOUR_MS)
      const names = [
        { kind: 'source' as const, name: 'hn', number: 6 },
        { kind: 'host' as const, name: 'example.org', number: 2 },
        { kind: 'host' as const, name: null, number: 1 },
        { kind: 'campaign' as const, name: 'launch', number: 6 },
      ]
      const counts = { first: 10, return: 3, robot: 2, prefetch: 1 }
      await store.visits.add([{ hour, counts, names }])
    }
    const source = { source: 'hn', campaign: 'launch' }
    for (const name of ['one', 'two', 'three'])
      await store.list.add(`${name}@example.com`, { source })
    await store.list.add('direct@example.com')
  }

  it('are shown for today and for thirty days, with what came of them', async () => {
    const { store, said } = await open()
    await visit(store)
    const lines = (await said()).split('\n').map((line) => line.replaceAll(/ +/g, ' '))
    expect(lines).toEqual(
      expect.arrayContaining([
        'Visits today 10 first, 3 repeated, 40 % signed up',
        'In 30 days 20 first, 6 repeated, 20 % signed up',
        'Not people 4 by robots, 2 by browsers that loaded the page ahead',
        'hn 12 3 25 % 6 3',
        'example.org (link) 4 – 2 –',
        'others (link) 2 – 1 –',
        'direct 2 1 50 % 1 1',
        'launch (campaign) 12 3 25 % 6 3',
      ]),
    )
  })

  it('are held against no sign-up of days on which nobody counted', async () => {
    const { store, said } = await open()
    await visit(store)
    const subscribedAt = new Date(Date.now() - 11 * 86_400_000)
    await restorePeople(
      store,
      Array.from({ length: 300 }, (_, n) => ({ email: `old${n}@example.com`, at: subscribedAt })),
    )
    const text = (await said()).replaceAll(/ +/g, ' ')
    expect(text).toContain('In 30 days 20 first, 6 repeated, 20 % signed up')
    expect(text).toContain('direct 2 1 50 % 1 1')
  })

  it('are in the JSON, by day and by name', async () => {
    const { store, said } = await open()
    await visit(store)
    const { days, visits } = JSON.parse(await said(true))
    expect(days.at(-1)).toMatchObject({
      day: localTime(new Date()).slice(0, 10),
      signUps: 4,
      visits: { first: 10, return: 3 },
    })
    expect(visits.days).toEqual({ first: 20, return: 6, robot: 4, prefetch: 2 })
    const counts = { visits: 12, signUps: 3, visitsToday: 6, signUpsToday: 3 }
    expect(visits.sources).toContainEqual({ kind: 'source', name: 'hn', ...counts })
  })

  it('show no name as anything but text', async () => {
    const { store, said } = await open()
    await store.list.add('visitor@example.com', { source: { source: '\u001b[2J' } })
    expect(await said()).not.toContain('\u001b')
  })
})

it('shows the five most frequent answers to the question of the page, as counts and bars', async () => {
  const store = storeOnFile()
  const answers = [12, 6, 3, 2, 1, 1].map((people, i) => ({ answer: `Answer ${i}`, people }))
  const given = { people: 100, answered: 25, answers, others: 0 }
  const said = async (json: boolean) => {
    const { out, result } = listening()
    await status(store, { name: 'Meridian', lastBackup: null, answers: given, json }, out)
    return result()
  }
  expect(await said(false)).toContain(
    [
      'Answer    People',
      `Answer 0      12  ${'█'.repeat(24)}`,
      `Answer 1       6  ${'█'.repeat(12)}`,
      `Answer 2       3  ${'█'.repeat(6)}`,
      `Answer 3       2  ${'█'.repeat(4)}`,
      `Answer 4       1  ${'█'.repeat(2)}`,
      '',
    ].join('\n'),
  )
  expect(JSON.parse(await said(true)).answers).toEqual({
    people: 100,
    answered: 25,
    answers: answers.slice(0, 5),
  })
})

describe('the state of all', () => {
  const DAY_MS = 24 * HOUR_MS
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS)
  const minute = (time: Date) => localTime(time)

  function open() {
    const store = storeOnFile()
    async function said(more: object = {}, options: Partial<StatusOptions> = {}) {
      const { out, result } = listening()
      const given = { name: 'Meridian', lastBackup: null, ...options }
      await status({ ...store, ...more }, given, out)
      const lines = result().split('\n')
      return { result: result(), lines: lines.map((line) => line.replaceAll(/ {2,}/g, ' | ')) }
    }
    return { store, said }
  }

  it('has who is on the list, who is gone and who is held, apart from the imported', async () => {
    const { store, said } = open()
    await store.list.importAll([
      { email: 'old@example.com', subscribedAt: ago(3) },
      { email: 'gone@example.com', subscribedAt: ago(3) },
    ])
    await store.list.add('ada@example.com')
    await store.list.add('robot@example.com', { suspicion: 'hidden-field' })
    await store.standings.set([{ email: 'gone@example.com', standing: 'bounced' }])
    const { lines } = await said()
    expect(lines[0]).toBe('Meridian')
    expect(lines).toEqual(
      expect.arrayContaining([
        'Subscribers | 2',
        'Imported | 2 | only by an import, including those who left since; not in the figures by day below',
        'Gone | 1 | 1 bounced',
        expect.stringMatching(/^Quarantined \| 1 \| for signs of a robot: .*quarantine$/),
        'Today | 1',
        'Last 7 days | 1',
        'Last back-up | never',
        'Announcement | none yet',
        'Page | coming soon',
      ]),
    )
    for (const word of ['Records', 'Rehearsed', 'Became users', 'Answers', 'Keep until', 'LOOK'])
      expect(lines.join('\n')).not.toContain(word)
    const bare = await open().said()
    for (const word of ['Imported', 'Gone', 'Quarantined', 'Asked'])
      expect(bare.result).not.toContain(word)
  })

  it('has the last announcement, why it stopped, and who became a user', async () => {
    const { store, said } = open()
    const begunAt = ago(2)
    const tally = { ...noTally(), sent: 1200, queued: 3 }
    const ledger = (more: object) => ({
      ...store.ledger,
      announcements: async () => [{ id: 'launch', begunAt, tally, ...more }],
    })
    const line = async (notes?: object) => {
      const run = notes && { ...newHolder(), isHeld: false, notes }
      const lock = { ...store.lock, run: async () => run as Run | undefined }
      const { lines } = await said({ ledger: ledger({}), lock })
      return lines.find((one) => one.startsWith('Announcement'))
    }
    const begun = `Announcement | launch, begun ${minute(begunAt)}: 3 in the queue (those who left get nothing), 1,200 sent`
    expect(await line()).toBe(begun)
    const ended = (why: string) => ({ rate: '2000/h', end: { why, answer: '' } })
    expect(await line(ended('done'))).toBe(begun)
    expect(await line({ rate: '2000/h' })).toBe(`${begun}; interrupted: the same command goes on`)
    expect(await line(ended('leaving'))).toBe(
      `${begun}; stopped: too many people unsubscribed or complained`,
    )
    const none = ledger({ tally: noTally() })
    expect((await said({ ledger: none })).lines).toContain(
      `Announcement | launch, begun ${minute(begunAt)}: nobody yet`,
    )
  })

  it('has the copies, how old they are and whether one was restored', async () => {
    const { said } = open()
    const line = async (name: string, options: Partial<StatusOptions>) =>
      (await said({}, options)).lines.find((one) => one.startsWith(`${name} |`))
    for (const [days, words] of [
      [0.5, 'less than a day ago'],
      [1.5, 'a day ago'],
      [3.5, '3 days ago'],
    ] as const) {
      const lastBackup = ago(days)
      expect(await line('Last back-up', { lastBackup })).toBe(
        `Last back-up | ${minute(lastBackup)}, ${words}`,
      )
    }
    const kept = { last: null, kept: [{ at: ago(1) }] }
    const good = { at: ago(2.5), copy: 'x', fault: undefined }
    const rehearsed = (
      rehearsal?: typeof good | (typeof good & { fault: string }),
      goodOne?: typeof good,
    ) => line('Rehearsed', { backups: { ...kept, rehearsal, goodRehearsal: goodOne } as never })
    expect(await rehearsed()).toBe('Rehearsed | never: no copy was restored as a test')
    expect(await rehearsed(good, good)).toBe(
      `Rehearsed | ${minute(good.at)}, 2 days ago: everything came back as it was`,
    )
    expect(await rehearsed({ ...good, fault: 'is damaged' } as never)).toBe(
      `Rehearsed | ${minute(good.at)}, 2 days ago: FAILED`,
    )
    const { result } = await said(
      {},
      {
        backups: { ...kept, rehearsal: { ...good, fault: 'is damaged' } } as never,
        json: true,
      },
    )
    expect(JSON.parse(result)).toMatchObject({
      lastBackup: null,
      lastRehearsal: { fault: 'is damaged' },
      lastGoodRehearsal: null,
      backupAlarms: [expect.stringMatching(/^LOOK: .*cannot be restored: is damaged/)],
    })
  })

  it('has when the list is to be erased, and warns once it should be', async () => {
    const { store, said } = open()
    for (const name of ['ada', 'bob']) await store.list.add(`${name}@example.com`)
    const opened = (openedAt: Date) => ({
      opening: {
        get: async () => ({ url: 'https://a.example/', at: openedAt, zone: 'UTC', openedAt }),
      },
    })
    const retain = '3 days after opening'
    const yesterday = ago(1)
    const soon = await said(opened(yesterday), { retain })
    const until = new Date(Number(yesterday) + 3 * DAY_MS)
    expect(soon.lines).toContain(
      `Keep until | ${minute(until).slice(0, 10)}: then erase the list yourself`,
    )
    expect(soon.lines).toContainEqual(
      expect.stringMatching(/^Page \| open since .*: leads to https:\/\/a\.example\/$/),
    )
    expect(soon.result).not.toContain('LOOK')
    const over = await said(opened(ago(5)), { retain })
    expect(over.result).toMatch(
      /LOOK: the list was to be erased on \S+, as retain in product\.config\.ts says, and has 2 people\. To erase them: .*forget --everybody/,
    )
  })

  it('has what waits, and a list that is held, for people and for programs', async () => {
    const { store, said } = open()
    const held = { ...nothingHeld, network: 2 }
    const hold = { get: async () => ({ isBelieved: false, since: ago(1) }) }
    const more = { requests: { ...store.requests, heldLetters: async () => held }, hold }
    const { result } = await said(more)
    expect(result).toMatch(/To send them now: .*outbox --release network\n/)
    expect(result).toMatch(
      /LOOK: a copy whose seal could not be checked, or was wrong, was restored .*, and no announcement leaves\./,
    )
    const json = JSON.parse((await said(more, { json: true })).result)
    expect(json).toMatchObject({
      subscribers: 0,
      imported: 0,
      today: 0,
      week: 0,
      announcement: null,
      opening: { page: 'coming-soon' },
      crowds: [],
      hold: { isBelieved: false },
      heldLetters: held,
      lastBackup: null,
    })
    expect(json.days).toHaveLength(30)
    for (const field of ['came', 'retention', 'asked', 'referrals', 'answers', 'lastRehearsal'])
      expect(json).not.toHaveProperty(field)
    expect(JSON.parse((await open().said({}, { json: true })).result)).not.toHaveProperty('hold')
  })

  it('warns of many at one domain, counted of those who may be written to and came by themselves', async () => {
    const { store, said } = open()
    const email = (n: number) => `p${n}@flood.example`
    await store.list.importAll(
      Array.from({ length: 30 }, (_, n) => ({
        email: `i${n}@flood.example`,
        subscribedAt: ago(1),
      })),
    )
    // From the first moment of the seven days.
    const first = new Date(new Date().setHours(0, 0, 0, 0))
    first.setDate(first.getDate() - 6)
    await restorePeople(
      store,
      Array.from({ length: 52 }, (_, n) => ({ email: email(n), at: first })),
    )
    await store.standings.set([{ email: email(0), standing: 'bounced' }])
    const { result } = await said()
    expect(result).toMatch(
      /LOOK: \d+ sign-ups of the last 7 days have addresses at flood\.example\. Robots/,
    )
    expect(result).toContain("--matching '*@flood.example'")
    const { crowds } = JSON.parse((await said({}, { json: true })).result)
    expect(crowds).toMatchObject([{ kind: 'domain', name: 'flood.example' }])
    await store.standings.set(
      [1, 2].map((n) => ({ email: email(n), standing: 'bounced' as const })),
    )
    expect((await said()).result).not.toContain('flood.example')
  })
})
