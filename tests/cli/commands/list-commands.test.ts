import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { deliveries } from '../../../src/cli/commands/deliveries.ts'
import { exportCommand } from '../../../src/cli/commands/export.ts'
import { find } from '../../../src/cli/commands/find.ts'
import { forget } from '../../../src/cli/commands/forget.ts'
import { importList } from '../../../src/cli/commands/import.ts'
import { list } from '../../../src/cli/commands/list.ts'
import { languageIn } from '../../../src/people/known-fields.ts'
import { parseEmail } from '../../../src/shared/email.ts'
import type { Subscriber } from '../../../src/shared/subscriber.ts'
import type { Format } from '../../../src/tables/format-names.ts'
import { csvCell, unguarded } from '../../../src/tables/formats.ts'
import { exitCodes } from '../../../src/terminal/exit-codes.ts'
import { enlist } from '../../fixtures/enlist.ts'
import { fillWithEveryKind } from '../../fixtures/every-kind.ts'
import { linkKey } from '../../fixtures/keys.ts'
import { sourceKept } from '../../fixtures/source-of.ts'
import { listening } from '../../fixtures/spoken.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { emailCases } from '../../shared/email-cases.ts'
import { people, person } from '../../store/contracts/people.ts'
import { worded } from '../../upkeep/worded.ts'

async function storeOf(subscribers: Subscriber[] = []) {
  const file = join(tempDir(), 'store.sqlite')
  const store = storeOnFile(file)
  for (let i = 0; i < subscribers.length; i += 500)
    await store.list.importAll(subscribers.slice(i, i + 500))
  return store
}

type TestStore = Awaited<ReturnType<typeof storeOf>>

/** With the language that is theirs, wherever it was said. */
async function everybody(store: TestStore) {
  const all = []
  for await (const { extra, ...one } of store.list.stream({ standing: 'all' }))
    all.push({ ...one, extra: { ...extra, language: languageIn(extra) } })
  return all
}

async function exported(store: TestStore, format: Format, all = false) {
  const { out, result } = listening()
  await exportCommand(store, { format, all }, out)
  return result()
}

async function imported(store: TestStore, text: string, format: Format = 'csv') {
  const { out, said, result } = listening()
  const file = Readable.from([text])
  const code = await worded(importList(store, { file, format }, out))
  return { code, said: said.join('\n'), refused: result() }
}

/** Every address that the e-mail rule accepts: quotes, commas, apostrophes, signs and all. */
const odd = [...new Set(emailCases.flatMap(({ input }) => parseEmail(input) ?? []))].map(
  (email, i) => ({ email, subscribedAt: person(i).subscribedAt }),
)

describe('an exported list', () => {
  it.each(['csv', 'ndjson', 'json'] as const)(
    'comes back as it was through %s, whoever is on it and whatever is known of them',
    async (format) => {
      expect(odd.length).toBeGreaterThan(20)
      const guarded = ['=1+1@example.com', "'=x@example.com", '+x@example.com', '-x@example.com']
      const store = await storeOf(odd)
      await fillWithEveryKind(store)
      const subscribedAt = new Date(0)
      const extra = { source: 'a "friend", =1+1', tags: ['x'] }
      await store.list.importAll(guarded.map((email) => ({ email, subscribedAt, extra })))
      const detail = '=550 5.1.1, "no"'
      await store.standings.set([{ email: '+x@example.com', standing: 'bounced', detail }])
      const source = { source: '=hn, "new"', medium: 'post', campaign: 'launch' }
      await store.list.add('tagged@example.com', { source })

      const whole = await exported(store, format, true)
      const copy = await storeOf()
      for (let times = 0; times < 2; times += 1)
        expect(await imported(copy, whole, format)).toMatchObject({
          ...{ code: 0, refused: '' },
          // People, and not what they were told.
          said: expect.stringContaining('that the other list began must not be sent again'),
        })
      expect(await everybody(copy)).toEqual(await everybody(store))
      expect(await sourceKept(copy, 'tagged@example.com')).toEqual(source)
      expect(await exported(copy, format)).not.toMatch(/bounced@|robot@|=hn/)
    },
  )

  it('for Excel is UTF-16 between tabs with its mark, without formulas, and comes back as it was', async () => {
    const extra = { firstName: 'Jürgen "J", ;花' }
    const all = [...odd, { email: '=1+1@example.com', subscribedAt: new Date(0), extra }]
    const store = await storeOf(all)
    const parts: Buffer[] = []
    const write = async (text: string | Uint8Array) => void parts.push(Buffer.from(text))
    await exportCommand(store, { format: 'excel', all: true }, { ...listening().out, write })
    const bytes = Buffer.concat(parts)
    expect(bytes.subarray(0, 2).toString('hex')).toBe('fffe')
    const lines = bytes.toString('utf16le').split('\r\n')
    expect(lines[0]).toMatch(/^\ufeffemail\tsubscribedAt\tstanding\t/)
    expect(lines).toContainEqual(expect.stringMatching(/^'=1\+1@example\.com\t1970-01-01T/))
    const copy = await storeOf()
    const file = Readable.from([bytes])
    const { out, result } = listening()
    expect(await importList(copy, { file, format: 'csv' }, out), result()).toBe(0)
    expect(await exported(copy, 'csv', true)).toBe(await exported(store, 'csv', true))
  })

  it('is CSV as RFC 4180 has it', async () => {
    const store = await storeOf([person(1), { ...person(2), email: '"a,""b"@example.com' }])
    expect(await exported(store, 'csv')).toBe(
      'email,subscribedAt,standing\r\n' +
        'person1@example.com,2026-01-01T00:01:00.000Z,subscribed\r\n' +
        '"""a,""""b""@example.com",2026-01-01T00:02:00.000Z,subscribed\r\n',
    )
  })

  it('is a whole file when nobody is on it', async () => {
    const store = await storeOf()
    expect(await exported(store, 'csv')).toBe('email,subscribedAt,standing\r\n')
    expect(await exported(store, 'ndjson')).toBe('')
    expect(JSON.parse(await exported(store, 'json'))).toEqual([])
  })

  it('runs no formula in a spreadsheet, and every cell can be read back', () => {
    const cells = ['=1+1', '+1', '-1', '@x', '\tx', '\rx', "'=1", "''=1", "'x", 'x', "'", '']
    // What a spreadsheet folds to one of these, and what it does not see before one.
    const folded = [...'＝﹦⁼₌＋﹢⁺－﹣−⁻＠﹫'].map((sign) => `${sign}1`)
    const unseen = [' ', '\u00a0', '\u200b', '\ufeff', '\u00ad', '\u3164', '\ufe0f', '\n', '\x1f']
    const behind = unseen.flatMap((before) => [`${before}=1`, `${before}${before}＝1`])
    for (const cell of [...cells, ...folded, ...behind, '=\u03381', "'＝1", '\u3000x', '\ufe0fx']) {
      const written = csvCell(cell).replace(/^"(.*)"$/s, '$1')
      const seen = written.normalize('NFKC').replace(/^[\p{C}\p{Z}\p{DI}]+/u, '')
      for (const one of [written, seen]) expect(one, cell).not.toMatch(/^[=+\-−@\t\r]/)
      expect(unguarded(written), cell).toBe(cell)
    }
    expect(csvCell('hn;=1')).toBe('"hn;=1"')
  })
})

describe('an import', () => {
  it('says line by line what it refused and why, and takes the rest', async () => {
    const store = await storeOf([person(1)])
    await store.standings.forget('gone@example.com')
    const { code, said, refused } = await imported(
      store,
      [
        'Email,SubscribedAt,Name',
        'person1@example.com,2026-01-01T00:01:00Z,known',
        'new@example.com,2026-01-02T00:00:00Z,new',
        'not an address,,',
        '',
        'gone@example.com,,',
        'late@example.com,someday,',
        'later@example.com,2999-01-01,',
        'NEW@example.com,,again',
      ].join('\n'),
    )
    expect(code).toBe(exitCodes.partly)
    expect(said).toMatch(
      /; no column with a status; ignored: Name\.\n2 added, 2 known, 3 refused\. 1 of them with/,
    )
    expect(refused.split('\n').toSorted()).toEqual([
      '',
      'line 4: "not an address" is not an e-mail address',
      'line 6: was forgotten on request',
      'line 8: 2999-01-01T00:00:00.000Z is in the future',
    ])
    expect((await store.list.find('new@example.com'))?.subscribedAt).toEqual(
      new Date('2026-01-02T00:00:00Z'),
    )
  })
})

describe('a list for reading', () => {
  it('has everybody in order of sign-up, or those of a time', async () => {
    const store = await storeOf(people(3))
    const { out, result, said } = listening()
    await list(store, {}, out)
    expect(result().match(/person\d/g)).toEqual(['person1', 'person2', 'person3'])
    expect(said).toEqual(['3 subscribers.'])

    const later = listening()
    await list(store, { since: '2026-01-01T00:03:00Z', json: true }, later.out)
    expect(JSON.parse(later.result())).toEqual({
      email: 'person3@example.com',
      subscribedAt: '2026-01-01T00:03:00.000Z',
      standing: 'subscribed',
    })
  })

  it('leaves out who may not be written to, says so, and has them when asked', async () => {
    const store = await storeOf(people(3))
    await store.standings.set([{ email: person(2).email, standing: 'bounced', detail: '550 no' }])
    const { out, result, said } = listening()
    await list(store, {}, out)
    expect(result().match(/person\d/g)).toEqual(['person1', 'person3'])
    expect(said).toEqual(['2 subscribers. Left out: 1 bounced; --all has everybody.'])
    const everybody = listening()
    await list(store, { all: true }, everybody.out)
    expect(everybody.result()).toMatch(/bounced +person2@example\.com\n/)
    // In columns.
    const places = everybody
      .result()
      .trimEnd()
      .split('\n')
      .map((line) => line.indexOf('person'))
    expect(new Set(places).size).toBe(1)
    expect(everybody.said).toEqual(['3 people.'])
  })
})

describe('one address', () => {
  it('shows where somebody came from, until they are forgotten', async () => {
    const store = await storeOf()
    await store.list.add('ada@example.com', { source: { source: 'hn', campaign: 'launch' } })
    const told = async (json: boolean) => {
      const { out, result } = listening()
      await find(store, { email: 'ada@example.com', json, linkKey }, out)
      return result()
    }
    expect(await told(false)).toMatch(/^Source +hn\nCampaign +launch$/m)
    expect(JSON.parse(await told(true))).toMatchObject({ source: 'hn', campaign: 'launch' })
    await store.standings.forget('ada@example.com')
    expect(await told(false)).not.toContain('Source')
  })

  it('is gone when it is forgotten', async () => {
    const store = await storeOf(people(2))
    await store.lock.acquire({ owner: 'me', host: 'here', pid: 7 }, 60_000)
    await store.ledger.begin('me', 'launch', { subject: 'We are live', digest: 'one' })
    await enlist(store, 'me', 'launch', people(2))
    const { out, result, said } = listening()
    expect(await forget(store.standings, { email: person(1).email }, out)).toBe(exitCodes.done)
    expect(result()).toBe(
      'The subscriber is forgotten.\nThe address was erased from 1 announcement.\n',
    )
    const rows = listening()
    await deliveries(store.ledger, { announcement: 'launch' }, rows.out)
    expect(rows.result()).not.toContain(person(1).email)
    expect(rows.said).toEqual(['2 rows.'])
    expect(said.join()).toContain('back-ups')
    const later = listening()
    expect(await find(store, { email: person(1).email, linkKey }, later.out)).toBe(exitCodes.partly)
    expect(later.result()).toContain('forgotten')
  })

  it('is said to be in no copy where it was never on the list', async () => {
    const store = await storeOf(people(1))
    const { out, said } = listening()
    await forget(store.standings, { email: 'never@example.com' }, out)
    expect(said.join()).toContain('If the address was on the list once')
    expect(said.join()).not.toContain('still have')
  })
})
