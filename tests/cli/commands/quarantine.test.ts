import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  endQuarantine,
  endQuarantineOfMany,
  type QuarantineEnd,
} from '../../../src/cli/commands/end-quarantine.ts'
import { find } from '../../../src/cli/commands/find.ts'
import {
  type QuarantineOptions,
  quarantine,
  readQuarantine,
} from '../../../src/cli/commands/quarantine.ts'
import type { SqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { exitCodes } from '../../../src/terminal/exit-codes.ts'
import { linkKey } from '../../fixtures/keys.ts'
import { restorePending } from '../../fixtures/restore-pending.ts'
import { listening } from '../../fixtures/spoken.ts'
import { standingCounts } from '../../fixtures/standing-counts.ts'
import { statusOf } from '../../fixtures/status.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { people } from '../../store/contracts/people.ts'

const ada = 'ada@example.com'
const day = (n: number) => new Date(2026, 0, n, 12)
const shown = { words: 'Notify Me', page: 'a1b2', language: 'en' }

function open(): SqliteStore {
  const file = join(tempDir(), 'store.sqlite')
  const store = storeOnFile(file)
  return store
}

const robot = (n: number, detail: string, domain = 'flood.example') => ({
  email: `robot${n}@${domain}`,
  subscribedAt: day(n),
  detail,
  standing: 'quarantined' as const,
  standingAt: day(n),
})

/** Five people, four robots of three days, and one who was asked to confirm. */
async function stormed() {
  const store = open()
  await store.list.importAll(people(5))
  await store.list.importAll([
    robot(1, 'too-quick'),
    robot(2, 'hidden-field, too-quick'),
    robot(3, 'hidden-field'),
    robot(3, 'headers', 'xn--mller-kva.example'),
  ])
  await restorePending(store, [
    ...[
      { email: 'asked@flood.example', askedAt: day(4), shown, letters: 1, suspicion: 'too-quick' },
    ],
    { email: 'person@flood.example', askedAt: day(4), shown, letters: 1 },
  ])
  const never = new AbortController().signal
  const heard = async (run: (out: ReturnType<typeof listening>['out']) => Promise<number>) => {
    const { out, said, result } = listening()
    return { code: await run(out), said: said.join('\n'), result: result() }
  }
  return {
    store,
    look: (options: QuarantineOptions = {}) => heard((out) => quarantine(store, options, out)),
    end: (end: QuarantineEnd, options: Partial<Parameters<typeof endQuarantineOfMany>[2]> = {}) =>
      heard((out) => endQuarantineOfMany(store, end, { signal: never, ...options }, out)),
    endOf: (end: QuarantineEnd, emails: string[], json?: boolean) =>
      heard((out) => endQuarantine(store, end, { emails, ...(json && { json }) }, out)),
    status: () => statusOf(store),
    find: (email: string) => heard((out) => find(store, { email, linkKey }, out)),
    heard,
  }
}

describe('a look at the quarantine', () => {
  it('says how many, why, where and when, and what to do next', async () => {
    const { look } = await stormed()
    const { result, code } = await look()
    expect(code).toBe(exitCodes.done)
    expect(result.split('\n').map((line) => line.replace(/ +/g, ' '))).toEqual([
      'Quarantined 4 on the list, and not mailed',
      ...['To confirm 1 not on the list, until they confirm', ''],
      ...['Sign People', 'too-quick 3', 'hidden-field 2', 'headers 1', ''],
      ...['Domain People', 'flood.example 4', 'xn--mller-kva.example 1', ''],
      ...[
        'Day of sign-up People',
        '2026-01-04 1',
        '2026-01-03 2',
        '2026-01-02 1',
        '2026-01-01 1',
        '',
      ],
      ...['What you can do', expect.stringMatching(/^List them \S+ quarantine --list$/)],
      expect.stringMatching(/^Let those on the list be mailed \S+ quarantine --release$/),
      ...[expect.stringMatching(/^Forget them \S+ quarantine --erase$/), ''],
    ])
    // Nobody but themselves can confirm.
    const { result: some } = await look({ domain: ['flood.example'], since: '2026-01-04' })
    expect(some).not.toContain('--release')
  })

  it('says how many it has seen, while it looks', async () => {
    const { store } = await stormed()
    const { out } = listening()
    const seen: string[] = []
    await quarantine(store, {}, { ...out, progress: (text) => void seen.push(text) })
    expect(seen.at(-1)).toBe('5 sign-ups seen')
  })

  it('says that nobody is, and no more', async () => {
    const { out, result } = listening()
    expect(await quarantine(open(), {}, out)).toBe(exitCodes.done)
    expect(result()).toBe('Quarantined  0\n')
  })

  it('does not say that nobody is, where nobody has the sign that was asked for', async () => {
    const { look } = await stormed()
    expect((await look({ sign: ['day-limit'] })).result).toContain(
      'Nobody who is quarantined fits these options.',
    )
  })

  it('takes a sign, a domain and a time, each and together', async () => {
    const { look } = await stormed()
    const count = async (options: QuarantineOptions) => {
      const { listed, toConfirm } = JSON.parse((await look({ ...options, json: true })).result)
      return [listed, toConfirm]
    }
    expect(await count({})).toEqual([4, 1])
    expect(await count({ sign: ['too-quick'] })).toEqual([2, 1])
    expect(await count({ sign: ['headers', 'hidden-field'] })).toEqual([3, 0])
    await expect(look({ sign: ['quick'] })).rejects.toThrow(
      'there is no sign "quick". The signs: hid',
    )
    expect(await count({ domain: ['@FLOOD.example'] })).toEqual([3, 1])
    expect(await count({ domain: ['müller.example'] })).toEqual([1, 0])
    expect(await count({ since: '2026-01-02', until: '2026-01-04' })).toEqual([3, 0])
    expect(await count({ until: '2026-01-03' })).toEqual([2, 0])
    expect(await count({ since: '2026-01-03', domain: ['flood.example'] })).toEqual([1, 1])
    await expect(look({ domain: ['not a domain'] })).rejects.toThrow('is not a domain')
    await expect(look({ since: 'yesterday' })).rejects.toThrow('--since')
  })

  it('lists them with their time and their signs', async () => {
    const { look } = await stormed()
    const { result, said } = await look({ list: true, sign: ['too-quick'] })
    expect(result).toBe(
      [
        '2026-01-01 12:00  robot1@flood.example  too-quick\n',
        '2026-01-02 12:00  robot2@flood.example  hidden-field, too-quick\n',
        '2026-01-04 12:00  asked@flood.example  too-quick  to confirm\n',
      ].join(''),
    )
    expect(said).toBe(
      '2 quarantined. 1 person with signs of a robot has not confirmed, and is not on the list.',
    )
    const lines = (await look({ list: true, json: true })).result.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).isToConfirm)).toEqual([
      false,
      false,
      false,
      false,
      true,
    ])
  })
})

describe('releasing', () => {
  it('shows and counts first, and releases those alone when their count is given', async () => {
    const { store, end } = await stormed()
    const sign = ['too-quick']
    const look = await end('release', { sign })
    expect(look.result.match(/robot\d@/g)).toEqual(['robot1@', 'robot2@'])
    expect(look.said).toBe(
      '2 sign-ups would be released. The same command with --yes-count 2 releases them. Nothing was changed.',
    )
    await expect(end('release', { sign, yesCount: 3 })).rejects.toThrow(
      'would be released now, and not 3',
    )
    expect(await standingCounts(store)).toMatchObject({ subscribed: 5, quarantined: 4 })
    expect((await end('release', { sign, yesCount: 2 })).said).toMatch(/^2 sign-ups released\./)
    expect(await standingCounts(store)).toMatchObject({ subscribed: 7, quarantined: 2 })
    expect((await store.list.find('robot1@flood.example'))?.subscribedAt).toEqual(day(1))
    expect((await end('release', { sign })).said).toMatch(/^0 sign-ups/)
  })

  it('releases addresses that are named at once, and says who was none', async () => {
    const { store, endOf } = await stormed()
    const { result, code } = await endOf('release', ['ROBOT1@flood.example', ada])
    expect(result).toBe(
      `robot1@flood.example is released.\n${ada} is not quarantined, or has yet to confirm: nothing is changed.\n`,
    )
    expect(code).toBe(exitCodes.partly)
    expect(await store.standings.of('robot1@flood.example')).toBeUndefined()
    expect((await endOf('release', ['robot2@flood.example'], true)).result).toBe(
      '{"email":"robot2@flood.example","released":true}\n',
    )
    await expect(endOf('release', ['robot3@flood.example', 'no address'])).rejects.toThrow('is not')
    expect(await store.standings.of('robot3@flood.example')).toBeDefined()
  })
})

describe('erasing', () => {
  it('erases those on the list and those who have yet to confirm, and nobody else', async () => {
    const { store, end } = await stormed()
    const options = { domain: ['flood.example'] }
    expect((await end('erase', options)).said).toMatch(/^4 sign-ups would be erased\./)
    const { said, result } = await end('erase', { ...options, yesCount: 4, json: true })
    expect(JSON.parse(result)).toEqual({ found: 4, erased: 4 })
    expect(said).toContain('Earlier back-ups and exports may still have them.')
    expect(await standingCounts(store)).toMatchObject({ subscribed: 5, quarantined: 1 })
    const pending = []
    for await (const { email } of store.requests.pending()) pending.push(email)
    expect(pending).toEqual(['person@flood.example'])
  })

  it('erases nobody who signs up without signs while it runs', async () => {
    const { store, end } = await stormed()
    const { erase } = store.quarantine
    Object.assign(store.quarantine, {
      async erase(emails: readonly string[]) {
        await store.list.add('robot2@flood.example')
        return erase(emails)
      },
    })
    expect((await end('erase', { sign: ['hidden-field'], yesCount: 2 })).said).toMatch(
      /^1 sign-up /,
    )
    expect(await store.list.find('robot2@flood.example')).toBeDefined()
    expect(await store.list.find('robot3@flood.example')).toBeUndefined()
  })
})

it.each([
  [[], { release: true, erase: true }, 'name one of them'],
  [[], { list: true, erase: true }, 'name one of them'],
  [[], { yesCount: 3 }, 'needs --release or --erase'],
  [[], { release: true, output: 'x' }, '--output'],
  [[ada], {}, 'Say what to do with these addresses'],
  [[ada], { list: true }, 'Say what to do with these addresses'],
  [[ada], { erase: true, sign: ['too-quick'] }, 'but not both'],
  [[ada], { erase: true, yesCount: 1 }, 'but not both'],
] as const)('refuses what contradicts itself: %j %j', (emails, options, mistake) => {
  expect(() => readQuarantine(emails, options)).toThrow(mistake)
})
