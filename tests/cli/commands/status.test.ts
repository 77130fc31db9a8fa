import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { status } from '../../../src/cli/commands/status.ts'
import { parseEmail } from '../../../src/shared/email.ts'
import { type SqliteStore, sqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { HOUR_MS } from '../../../src/store/visits.ts'
import { ids } from '../../fixtures/keys.ts'
import { listening } from '../../fixtures/spoken.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

it('an alarm can be copied into a shell, whatever somebody signed up as', async () => {
  const file = join(tempDir(), 'store.sqlite')
  const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  onTestFinished(() => store.close())
  const name = "a`echo$ran`'&b|c"
  for (let i = 0; i < 5; i += 1) {
    const email = parseEmail(`${name}+${i}@flood.example`)
    expect(email).toBeDefined()
    await store.list.add(email ?? '')
  }
  const { out, result } = listening()
  await status(store, { name: 'Meridian', lastBackup: null }, out)
  // Else the operator forgets the owner with what a stranger typed in their name.
  expect(result()).toContain('Strangers may have typed them: look for people among them.')
  const [, line = ''] = /LOOK: 5 .*To see them: \S+ (.*)\n/.exec(result()) ?? []
  const { stdout } = spawnSync('sh', ['-c', `printf '%s\n' ${line}`], { encoding: 'utf8' })
  expect(stdout.trim().split('\n')).toEqual([
    ...['list', '--since', expect.stringMatching(/^\d{4}-\d\d-\d\d$/), '--mailbox'],
    `${name}@flood.example`,
  ])
})

it('says what a clock was, where it was ahead when the last back-up was made', async () => {
  const file = join(tempDir(), 'store.sqlite')
  const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  onTestFinished(() => store.close())
  const { out, result } = listening()
  const lastBackup = new Date(Date.now() + 30 * HOUR_MS)
  await status(store, { name: 'Meridian', lastBackup }, out)
  expect(result()).toMatch(/Last back-up +\d{4}-\d\d-\d\d \S+.*, by a clock that was ahead\n/)
  expect(result()).not.toContain('days ago')
})

it('says how many have heard nothing, and since when', async () => {
  const file = join(tempDir(), 'store.sqlite')
  const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  onTestFinished(() => store.close())
  const said = async (json = false) => {
    const { out, result } = listening()
    await status(store, { name: 'Meridian', lastBackup: null, json }, out)
    return result()
  }
  await store.list.add('ada@example.com')
  expect(await said()).not.toContain('heard nothing')
  expect(JSON.parse(await said(true)).heardNothing).toEqual({ people: 0, since: null })
  const since = new Date(2026, 4, 3, 12)
  await store.list.importAll([
    { email: 'bob@example.com', subscribedAt: since },
    { email: 'cleo@example.com', subscribedAt: new Date(2026, 5, 3) },
  ])
  expect(await said()).toContain(
    '2 people have heard nothing for 60 days or longer, the first since 2026-05-03. ',
  )
  const found = { people: 2, since: since.toISOString() }
  expect(JSON.parse(await said(true)).heardNothing).toEqual(found)

  // Where each letter that is read has its price.
  const dear = { ...store, ledger: { ...store.ledger, mostReadDaily: -1 } }
  const { out, result } = listening()
  await status(dear, { name: 'Meridian', lastBackup: null }, out)
  expect(result()).toMatch(/Heard nothing +not counted, since /)
})

describe('visits and sources', () => {
  async function open() {
    const file = join(tempDir(), 'store.sqlite')
    const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
    onTestFinished(() => store.close())
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
        'Visits today 10 first, 3 again, 40 % signed up',
        'In 30 days 20 first, 6 again, 20 % signed up',
        'Not people 4 by robots, 2 prefetched',
        'hn 12 3 25 % 6 3',
        'example.org (link) 4 – 2 –',
        'others (link) 2 – 1 –',
        'no source 2 1 50 % 1 1',
        'launch (campaign) 12 3 25 % 6 3',
      ]),
    )
  })

  it('are held against no sign-up of days on which nobody counted', async () => {
    const { store, said } = await open()
    await visit(store)
    const subscribedAt = new Date(Date.now() - 11 * 86_400_000)
    await store.list.importAll(
      Array.from({ length: 300 }, (_, n) => ({
        email: `old${n}@example.com`,
        subscribedAt,
        signedUpAt: subscribedAt,
      })),
    )
    const text = (await said()).replaceAll(/ +/g, ' ')
    expect(text).toContain('In 30 days 20 first, 6 again, 20 % signed up')
    expect(text).toContain('no source 2 1 50 % 1 1')
  })

  it('and sign-ups are no share of them where these are more, as on the day when counting began', async () => {
    const { store, said } = await open()
    const hour = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS)
    const names = [{ kind: 'source' as const, name: 'hn', number: 1 }]
    const counts = { first: 1, return: 0, robot: 0, prefetch: 0 }
    await store.visits.add([{ hour, counts, names }])
    for (const name of ['one', 'two'])
      await store.list.add(`${name}@example.com`, { source: { source: 'hn' } })
    const text = (await said()).replaceAll(/ +/g, ' ')
    expect(text).toMatch(/^Visits today 1 first, 0 again$/m)
    expect(text).toMatch(/^hn 1 2 1 2$/m)
  })

  it('are in the JSON, by day and by name', async () => {
    const { store, said } = await open()
    await visit(store)
    const { days, visits } = JSON.parse(await said(true))
    expect(days.at(-1)).toMatchObject({ signUps: 4, visits: { first: 10, return: 3 } })
    expect(visits.days).toEqual({ first: 20, return: 6, robot: 4, prefetch: 2 })
    const counts = { visits: 12, signUps: 3, visitsToday: 6, signUpsToday: 3 }
    expect(visits.sources).toContainEqual({ kind: 'source', name: 'hn', ...counts })
  })

  it('are said to be none where none were counted, and sign-ups are no share of none', async () => {
    const { store, said } = await open()
    await store.list.add('visitor@example.com', { source: { source: 'hn' } })
    expect(await said()).toMatch(/^Visits +none counted$/m)
    expect(await said()).toMatch(/^hn +0 +1 +0 +1$/m)
  })

  it('show no name as anything but text', async () => {
    const { store, said } = await open()
    await store.list.add('visitor@example.com', { source: { source: '\u001b[2J' } })
    expect(await said()).not.toContain('\u001b')
  })
})

it('shows the five most frequent answers to the question of the page, as counts and bars', async () => {
  const file = join(tempDir(), 'store.sqlite')
  const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  onTestFinished(() => store.close())
  const answers = [12, 6, 3, 2, 1, 1].map((people, i) => ({ answer: `Answer ${i}`, people }))
  const given = { people: 100, answered: 25, answers, others: 0 }
  const said = async (json: boolean) => {
    const { out, result } = listening()
    await status(store, { name: 'Meridian', lastBackup: null, answers: given, json }, out)
    return result()
  }
  expect(await said(false)).toContain(
    [
      'Answer    people',
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
