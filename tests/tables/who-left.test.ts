import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { type ImportOptions, importList } from '../../src/cli/commands/import.ts'
import { standingOfFile } from '../../src/cli/commands/table-file.ts'
import { linkKey } from '../fixtures/keys.ts'
import { listening } from '../fixtures/spoken.ts'
import { storeOnFile } from '../fixtures/store-on-file.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { worded } from '../upkeep/worded.ts'

/** Imports a file. @returns how each of its people stands, by the name before the `@`. */
async function imported(text: string, options: Partial<ImportOptions> = {}) {
  const file = join(tempDir(), 'store.sqlite')
  const store = storeOnFile(file)
  const { out, said, result } = listening()
  const given = { file: Readable.from([text]), format: 'csv', linkKey, ...options } as const
  const refusal = await worded(importList(store, given, out)).then(
    () => undefined,
    (error: Error) => error.message,
  )
  const people: Record<string, string> = {}
  for await (const { email, standing } of store.list.stream({ standing: 'all' }))
    people[email.replace('@example.com', '')] = standing
  return { people, refused: result().trim().split('\n'), said: said.join('\n'), refusal }
}

/** A file with these columns; each row begins with a name, of which an address is made. */
const csv = (names: string, ...rows: string[]) =>
  [`email,${names}`, ...rows.map((row) => row.replace(/^\w+/, '$&@example.com'))].join('\n')

describe('a column that says no', () => {
  it('is read under the names of other tools', async () => {
    const files: [string, Record<string, string>][] = [
      [
        csv(
          'Create Date,Unsubscribed from all email,Hard bounced',
          'ada,2026-09-11,false,',
          'left,2026-09-11,true,',
          'dead,2026-09-11,,yes',
        ),
        { ada: 'subscribed', left: 'unsubscribed', dead: 'bounced' },
      ],
      [
        csv(
          'Is this user confirmed,Is this user blacklisted,Did this user manually confirm,Entered',
          'ada,1,0,0,2026-09-11',
          'left,1,1,0,2026-09-11',
          'never,0,0,0,2026-09-11',
        ),
        { ada: 'subscribed', left: 'unsubscribed' },
      ],
      [csv('DOUBLE_OPT-IN', 'ada,1', 'never,2', 'never2,No'), { ada: 'subscribed' }],
      [
        csv(
          'unsubscribed,bounced,Opted in',
          'ada,FALSCH,nein,WAHR',
          'eve,WAHR,,WAHR',
          'no,,,FALSCH',
        ),
        { ada: 'subscribed', eve: 'unsubscribed' },
      ],
      [
        csv(
          'unsubscribed_at',
          String.raw`ada,\N`,
          'bob,0000-00-00 00:00:00',
          'eve,2026-10-01 09:00:00',
        ),
        { ada: 'subscribed', bob: 'subscribed', eve: 'unsubscribed' },
      ],
      [
        csv('Newsletter,subscribed', 'ada,yes,true', 'no,no,true', 'off,yes,false'),
        { ada: 'subscribed', no: 'unsubscribed', off: 'unsubscribed' },
      ],
    ]
    for (const [text, people] of files) expect((await imported(text)).people, text).toEqual(people)
  })

  it('refuses a line in which it says neither yes nor no, and takes the rest', async () => {
    const rows = ['ada,no', 'eve,perhaps', 'moved,left@example.com', 'bob,']
    const { people, refused } = await imported(csv('Opt-out', ...rows))
    expect(people).toEqual({ ada: 'subscribed', bob: 'subscribed' })
    expect(refused).toEqual([
      'line 3: "perhaps" under "Opt-out" is neither a yes, a no nor a time',
      'line 4: a cell under "Opt-out" is neither a yes, a no nor a time',
    ])
  })

  it('says no by nothing where it is of those who agreed, unless another column has their yes', async () => {
    const confirmed = csv('confirmed_at', 'ada,2026-09-11', 'never,', 'null,NULL')
    expect((await imported(confirmed)).people).toEqual({ ada: 'subscribed' })
    const active = csv('status,opted_in_at', 'ada,active,2026-09-11', 'bob,active,', 'never,,')
    expect((await imported(active)).people).toEqual({ ada: 'subscribed', bob: 'subscribed' })
  })

  it('refuses the file where it was not understood, until the operator says what it means', async () => {
    const text = csv('active_subscription,email_disabled', 'ada,false,false', 'left,false,true')
    const first = await imported(text)
    expect(first.people).toEqual({})
    expect(first.refusal).toBe(
      'Nothing was changed: active_subscription may say who must not be written to. Name it with --status-column, with =left or =agreed behind the name where it says yes and no; or pass over it with --ignore-column.',
    )
    const right = { ada: 'subscribed', left: 'unsubscribed' }
    for (const options of [
      { ignoreColumn: ['Active Subscription'] },
      { ignoreColumn: ['2'] },
      { statusColumn: ['email_disabled'] },
      { statusColumn: 'none' },
    ])
      expect((await imported(text, options)).people).toEqual(right)
    const none = await imported(csv('subscribed', 'ada,no'), { statusColumn: 'none' })
    expect(none.people).toEqual({ ada: 'subscribed' })
    const both = await imported(text, {
      statusColumn: ['active_subscription=agreed', 'email_disabled'],
    })
    expect(both.people).toEqual({ ada: 'unsubscribed', left: 'unsubscribed' })
    expect((await imported(text, { ignoreColumn: ['nobody'] })).refusal).toContain(
      '--ignore-column: there is no column "nobody".',
    )
  })

  it('is read by its words where an option names it', async () => {
    const rows = ['ada,active,a', 'left,Abgemeldet,b', 'bob,,c']
    const named = await imported(csv('Merkmal,City', ...rows), { statusColumn: ['Merkmal'] })
    expect(named.people).toEqual({ ada: 'subscribed', left: 'unsubscribed', bob: 'subscribed' })
  })

  it('is read as the operator says where a yes may mean either', async () => {
    for (const name of ['Ruhe', 'Not unsubscribed']) {
      const text = csv(name, 'ada,no', 'eve,yes')
      const unsaid = await imported(text, { statusColumn: [name] })
      expect([unsaid.people, unsaid.refused]).toEqual([
        {},
        ['line 2: its status "no" is not known here', 'line 3: its status "yes" is not known here'],
      ])
      expect((await imported(text, { statusColumn: [`${name}=left`] })).people).toEqual({
        ada: 'subscribed',
        eve: 'unsubscribed',
      })
      expect((await imported(text, { statusColumn: [`${name}=agreed`] })).people).toEqual({
        ada: 'unsubscribed',
        eve: 'subscribed',
      })
    }
  })

  it('may be in a later entry of JSON, or within a field', async () => {
    const entries = [
      { email: 'ada@example.com', confirmed: true },
      { email: 'never@example.com' },
      { email: 'left@example.com', confirmed: true, unsubscribed: true },
    ]
    const right = { ada: 'subscribed', left: 'unsubscribed' }
    const json = JSON.stringify(entries)
    const { people, said } = await imported(json, { format: 'json' })
    expect(people).toEqual(right)
    expect(said).toContain('status from confirmed, unsubscribed')
    // mongoexport writes lines, into a file whose name ends in .json.
    const lines = entries.map((entry) => JSON.stringify({ tags: ['a'], ...entry })).join('\n')
    expect((await imported(lines, { format: 'json' })).people).toEqual(right)
    const deep = (consent: string) => ({ subscriptions: { email: { marketing: { consent } } } })
    const klaviyo = JSON.stringify([
      { email: 'ada@example.com', ...deep('SUBSCRIBED') },
      { email: 'left@example.com', ...deep('UNSUBSCRIBED') },
    ])
    const asked = await imported(klaviyo, { format: 'json' })
    const name = 'subscriptions.email.marketing.consent'
    expect([asked.people, asked.refusal]).toEqual([{}, expect.stringContaining(name)])
    const named = await imported(klaviyo, { format: 'json', statusColumn: [name] })
    expect(named.people).toEqual(right)
    const team = JSON.stringify([
      { members: [{ email: 'a@example.com' }, { email: 'b@x.example' }] },
    ])
    expect((await imported(team, { format: 'json' })).refusal).toContain('--email-column')
    const unclear = JSON.stringify([entries[0], { email: 'bob@example.com', left_handed: 1 }])
    const refused = await imported(unclear, { format: 'json' })
    expect([refused.people, refused.refusal]).toEqual([{}, expect.stringContaining('left_handed')])
  })
})

describe('a file', () => {
  it('of people who never agreed or who left is known by its name', () => {
    expect(() => standingOfFile('nonsubscribed_email_audience_export_1a2b.csv')).toThrow(
      'these people never agreed',
    )
    expect(() => standingOfFile('bounces.csv')).toThrow('suppress bounces.csv')
    expect(standingOfFile('unsubscribes.csv')).toBe('unsubscribed')
    for (const name of ['subscribed_members_export_1a.csv', 'subscribers.csv', '-'])
      expect(standingOfFile(name), name).toBeUndefined()
  })

  it('whose last row was cut short comes without that row', async () => {
    const text = csv('created_at,unsubscribed_at', 'ada,2026-09-11,', 'lost,2026-09-11')
    const { people, refused } = await imported(text)
    expect(people).toEqual({ ada: 'subscribed' })
    expect(refused).toEqual([
      'line 3: is cut short, so this may not be the whole file: get it once more',
    ])
    // Spreadsheets leave out what is empty at the end of a row, and end the line.
    expect((await imported(`${text}\n`)).people).toEqual({ ada: 'subscribed', lost: 'subscribed' })
  })

  it('with a comma that is in no quotes is refused in the line whose cells it moves', async () => {
    const rows = ['left,Lovelace, Eve,2026-10-01', 'ada,"Lovelace, Ada",', 'bob,Bob,,']
    const { people, refused } = await imported(csv('name,unsubscribed_at', ...rows))
    expect(people).toEqual({ ada: 'subscribed', bob: 'subscribed' })
    expect(refused).toEqual([
      'line 2: has more cells than there are columns: one may need quotes around it',
    ])
  })

  it('without names that has several addresses in a line loses none in silence', async () => {
    const text =
      'Ada <ada@example.com>, Bob <bob@example.com>; eve@example.com\nzoe@example.com,Zoe'
    const { people, refused } = await imported(text)
    expect(people).toEqual({ zoe: 'subscribed' })
    expect(refused).toEqual(['line 1: has several addresses: put each on a line of its own'])
  })
})
