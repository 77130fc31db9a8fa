import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { find } from '../../src/cli/commands/find.ts'
import { type ImportOptions, importList } from '../../src/cli/commands/import.ts'
import { standingOfFile } from '../../src/cli/commands/table-file.ts'
import { firstNameIn } from '../../src/people/first-name.ts'
import { languageIn } from '../../src/people/known-fields.ts'
import { probeAddress } from '../../src/shared/probe-address.ts'
import type { ListedSubscriber } from '../../src/store/subscriber-list.ts'
import { exportList } from '../../src/tables/export-list.ts'
import { exitCodes } from '../../src/terminal/exit-codes.ts'
import { linkKey } from '../fixtures/keys.ts'
import { sourceKept } from '../fixtures/source-of.ts'
import { listening } from '../fixtures/spoken.ts'
import { storeOnFile } from '../fixtures/store-on-file.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { worded } from '../upkeep/worded.ts'

function emptyStore() {
  const file = join(tempDir(), 'store.sqlite')
  const store = storeOnFile(file)
  return store
}

type TestStore = ReturnType<typeof emptyStore>

/** What an import of a service's export says, and what is on the list then. */
async function importExport(name: string, options: Partial<ImportOptions> = {}, to = emptyStore()) {
  const { out, said, result } = listening()
  const everybody = standingOfFile(name)
  const file = createReadStream(join(import.meta.dirname, 'exports', name))
  await importList(to, { file, format: 'csv', ...(everybody && { everybody }), ...options }, out)
  return { said, refused: result(), people: await people(to) }
}

async function people(store: TestStore) {
  const found: [email: string, subscribedAt: string, standing: string][] = []
  for await (const { email, subscribedAt, standing } of store.list.stream({ standing: 'all' }))
    found.push([email, subscribedAt.toISOString(), standing])
  return found.sort((a, b) => (a[1] < b[1] ? -1 : 1))
}

async function everythingIn(store: TestStore) {
  const found: ListedSubscriber[] = []
  for await (const one of store.list.stream({ standing: 'all' })) found.push(one)
  return found
}

async function importText(text: string | Buffer, options: Partial<ImportOptions> = {}) {
  const store = emptyStore()
  const { out, said, result } = listening()
  const file = Readable.from([text])
  await worded(importList(store, { file, format: 'csv', ...options }, out))
  return { said: said.join('\n'), refused: result(), people: await people(store) }
}

it('takes sources from the tags of links, and from a plain column of nobody else', async () => {
  const store = emptyStore()
  const sourceAfter = async (text: string) => {
    const file = Readable.from([text])
    await importList(store, { file, format: 'csv' }, listening().out)
    const emails = ['ada@example.com', 'bea@example.com']
    return Promise.all(emails.map((email) => sourceKept(store, email)))
  }
  expect(await sourceAfter('email,source\nada@example.com,form 7\n')).toEqual([
    undefined,
    undefined,
  ])
  const tagged = 'utm_source,Email,UTM Campaign,source\nHN,bea@example.com,launch,form 7\n'
  const bea = { source: 'hn', campaign: 'launch' }
  expect(await sourceAfter(tagged)).toEqual([undefined, bea])
  // What an address says of itself is kept from the first time on, and no address is a source.
  const later = 'email,utm_source\nbea@example.com,later\nada@example.com,eve@example.com\n'
  expect(await sourceAfter(later)).toEqual([undefined, bea])
  const ours = 'email,subscribed_at,source,utm_source\nada@example.com,2026-01-05,ph,hn\n'
  expect(await sourceAfter(ours)).toEqual([{ source: 'hn' }, bea])
})

it('takes languages as other tools write them, and from its own export', async () => {
  const store = emptyStore()
  const take = (to: TestStore, text: string) =>
    importList(to, { file: Readable.from([text]), format: 'csv' }, listening().out)
  await take(
    store,
    'Email,LOCALE\nada@example.com,pt_br\nbea@example.com,German\ncyd@example.com,AR\ndot@example.com,\n',
  )
  // What is known stays.
  await take(store, 'email,language\ncyd@example.com,de\ndot@example.com,fr\n')
  let file = ''
  const write = async (text: string) => {
    file += text
  }
  await exportList(store, { format: 'csv', all: true }, write)
  const other = emptyStore()
  await take(other, file)
  for (const one of [store, other]) {
    const found: unknown[] = []
    for await (const { extra } of one.list.stream()) found.push(languageIn(extra))
    expect(found).toEqual(['pt-BR', undefined, 'ar', 'fr'])
  }
  const { said } = await importText('Email,LOCALE,utm_source\nada@example.com,fr,podcast\n')
  expect(said).toContain('language from LOCALE; where they came from: utm_source')
  expect(said).not.toContain('left out')
  const named = await importText(
    'email,lang\nada@example.com,German\nbob@example.com,fr\neve@example.com,日本語\n',
  )
  expect(named.said).toContain(
    '2 rows name a language that is no code such as fr or pt-BR: the first is "German". The language is left out.',
  )
})

it('takes first names of files, shows them, and leaves what is no name', async () => {
  const store = emptyStore()
  const take = (to: TestStore, text: string) =>
    importList(to, { file: Readable.from([text]), format: 'csv' }, listening().out)
  await take(store, 'Email,First Name\nada@example.com,Ada\nbea@example.com,http://evil.example\n')
  await take(store, 'email,Vorname\ncyd@example.com,Cyd\nada@example.com,Eve\n')
  await take(store, 'email,first_name\ndot@example.com,\u202eDot\n')
  const { out, result } = listening()
  await find(store, { email: 'ada@example.com', linkKey }, out)
  expect(result()).toMatch(/First name +Ada/)
  let file = ''
  await exportList(store, { format: 'csv', all: true }, async (text) => {
    file += text
  })
  const other = emptyStore()
  await take(other, file)
  for (const one of [store, other]) {
    const found: unknown[] = []
    for await (const { extra } of one.list.stream()) found.push(firstNameIn(extra))
    expect(found).toEqual(['Ada', undefined, 'Cyd', 'Dot'])
  }
})

it('mends a name that lost a letter, or is none, by a second import of the same file', async () => {
  const store = emptyStore()
  const [ada, subscribedAt] = ['ada@example.com', new Date(0)]
  await store.list.importAll([{ email: ada, subscribedAt, extra: { firstName: 'A\ufffdda' } }])
  for (const name of ['%%FNAME%%', 'Áda', 'Eve']) {
    const file = Readable.from([`email,first name\n${ada},${name}\n`])
    await importList(store, { file, format: 'csv' }, listening().out)
  }
  for await (const { extra } of store.list.stream()) expect(extra).toEqual({ firstName: 'Áda' })
})

it('keeps what a tool noted of a consent, and shows it as that of the tool', async () => {
  const store = emptyStore()
  await importExport('mailchimp-subscribed.csv', {}, store)
  const evidence = 'Mailchimp: CONFIRM_TIME 2016-04-18 13:51:14, CONFIRM_IP 192.0.2.2'
  const bob = { email: 'bob@example.com', linkKey }
  const told = listening()
  await find(store, bob, told.out)
  expect(told.result()).toMatch(new RegExp(`vidence from elsewhere +${evidence}`))
  const { out, result } = listening()
  await find(store, { ...bob, json: true }, out)
  expect(JSON.parse(result())).toMatchObject({ consent: null, evidence })
  let file = ''
  await exportList(store, { format: 'csv', all: true }, async (text) => {
    file += text
  })
  const other = emptyStore()
  await importList(other, { file: Readable.from([file]), format: 'csv' }, listening().out)
  expect(await everythingIn(other)).toEqual(await everythingIn(store))
})

it.each([
  ['opted_in_at,optin_ip', '2026-01-05 10:00:00,192.0.2.1', 'MailerLite: '],
  ['Confirmed At,Double Opt-In IP', '2026-01-05,2001:db8::1', 'another tool: '],
  ['Double Opt-In IP,OPTIN_IP', ',', undefined],
])('knows %s as evidence', async (names, cells, from) => {
  const said = cells.split(',')
  const line =
    from &&
    from +
      names
        .split(',')
        .map((name, i) => `${name} ${said[i]}`)
        .join(', ')
  const store = emptyStore()
  const file = Readable.from([`email,${names}\nada@example.com,${cells}\n`])
  await importList(store, { file, format: 'csv' }, listening().out)
  expect(await everythingIn(store)).toMatchObject([line ? { extra: { evidence: line } } : {}])
  if (!line) expect((await everythingIn(store))[0]?.extra).toBeUndefined()
})

describe('what stops in the middle', () => {
  const many = Array.from({ length: 250 }, (_, i) => `visitor${i}@example.com`)

  it('says what was done, and that the same file may be imported again', async () => {
    const store = emptyStore()
    const { out, said, result } = listening()
    const read = (end: string, json: boolean) => {
      const file = Readable.from([['email,name', ...many, end].join('\n')])
      return worded(importList(store, { file, format: 'csv', json }, out))
    }
    await expect(read('a,"b', false)).rejects.toThrow('a quote is opened and never closed')
    expect(said.at(-1)).toBe(
      '200 added, 0 known, 0 refused. Stopped: the same file may be imported again.',
    )
    await expect(read('a,"b', true)).rejects.toThrow('never closed')
    expect(JSON.parse(result())).toMatchObject({ added: 0, known: 200, stopped: true })
    await read('', false)
    expect(said.at(-1)).toBe('50 added, 200 known, 0 refused.')
  })

  it('is also what the operator stops', async () => {
    const store = emptyStore()
    const { out, said } = listening()
    const file = Readable.from([['email', ...many].join('\n')])
    const options = { file, format: 'csv', linkKey, signal: AbortSignal.abort() } as const
    expect(await importList(store, options, out)).toBe(exitCodes.stopped)
    expect(said.at(-1)).toMatch(/^200 added, .* Stopped: the same file may be imported again\.$/)
  })
})

describe('an export of', () => {
  it('Mailchimp comes in with its times, and names what it leaves', async () => {
    const { people, said } = await importExport('mailchimp-subscribed.csv')
    expect(people).toEqual([
      ['bob@example.com', '2016-04-18T13:51:14.000Z', 'subscribed'],
      ['ada@example.com', '2024-03-14T09:12:31.000Z', 'subscribed'],
    ])
    expect(said[0]).toContain('Addresses from Email Address; times from OPTIN_TIME, CONFIRM_TIME;')
    expect(said[0]).toContain('first name from First Name; ignored: Last Name, Address')
    expect(said[0]).toContain(
      'evidence of consent from OPTIN_TIME, OPTIN_IP, CONFIRM_TIME, CONFIRM_IP;',
    )
    expect(said.at(-1)).toBe('2 added, 0 known, 0 refused.')
  })

  it.each([
    ['mailchimp-unsubscribed.csv', 'unsubscribed'],
    ['mailchimp-cleaned.csv', 'bounced'],
  ] as const)('Mailchimp, those who left: %s', async (file, standing) => {
    const store = emptyStore()
    const { people, said } = await importExport(file, {}, store)
    expect(people).toEqual([['ada@example.com', '2024-03-14T09:12:31.000Z', standing]])
    expect(await store.standings.of('ada@example.com')).toMatchObject({
      standing,
      at: new Date('2024-05-01T08:00:00Z'),
    })
    expect(said.at(-1)).toBe(`0 added, 0 known, 1 ${standing} (no letters to them), 0 refused.`)
  })

  it('Mailchimp is known by its name where no time tells who left', async () => {
    const everybody = (file: string) => standingOfFile(join('downloads', file))
    expect(everybody('unsubscribed_members_export_1a.csv')).toBe('unsubscribed')
    expect(everybody('cleaned_email_audience_export_1a.csv')).toBe('bounced')
    expect(everybody('subscribed_members_export_1a.csv')).toBeUndefined()
    const { people } = await importText('Email Address,First Name\nada@example.com,Ada\n', {
      everybody: 'unsubscribed',
    })
    expect(people).toMatchObject([['ada@example.com', {}, 'unsubscribed']])
  })

  it('Kit comes in without those who cancelled, bounced, complained or never confirmed', async () => {
    const { people, refused } = await importExport('kit.csv')
    expect(people).toEqual([
      ['ada@example.com', '2022-09-10T11:12:13.000Z', 'subscribed'],
      ['bob@example.com', '2022-09-11T11:12:13.000Z', 'unsubscribed'],
      ['cleo@example.com', '2022-09-12T11:12:13.000Z', 'bounced'],
      ['dan@example.com', '2022-09-13T11:12:13.000Z', 'complained'],
    ])
    expect(refused).toBe('line 6: never confirmed that they want to be told\n')
  })

  it.each(['buttondown.csv', 'listmonk.csv', 'ghost.csv'])(
    'a newsletter service comes in without those who left: %s',
    async (file) => {
      const { people } = await importExport(file)
      const cleo = file === 'buttondown.csv' ? 'bounced' : 'unsubscribed'
      expect(people.map(([email, , standing]) => [email, standing])).toEqual([
        ['ada@example.com', 'subscribed'],
        ['bob@example.com', 'unsubscribed'],
        ['cleo@example.com', cleo],
      ])
      expect(people.map(([, time]) => time.slice(0, 16))).toEqual(
        ['05', '06', '07'].map((day) => `2023-01-${day}T10:20`),
      )
    },
  )

  it('a waiting list comes in with its times: Waitlister, GetWaitlist, LaunchList', async () => {
    const waitlister = await importExport('waitlister.csv')
    expect(waitlister.people).toEqual([
      ['ada@example.com', '2023-04-24T14:14:38.901Z', 'subscribed'],
      ['bob@example.com', '2023-04-24T14:14:39.901Z', 'unsubscribed'],
      ['cleo@example.com', '2023-04-24T14:14:40.901Z', 'bounced'],
    ])
    expect((await importExport('getwaitlist.csv')).people).toEqual([
      ['ada@example.com', '2023-01-05T10:20:30.123Z', 'subscribed'],
      ['bob@example.com', '2023-01-06T10:20:30.123Z', 'unsubscribed'],
    ])
    expect((await importExport('launchlist.csv')).people).toEqual([
      ['ada@example.com', '2023-01-05T10:20:00.000Z', 'subscribed'],
      ['bob@example.com', '2023-01-06T22:20:00.000Z', 'subscribed'],
    ])
  })

  it('any of them changes nothing when it is a dry run', async () => {
    const store = emptyStore()
    await store.list.importAll([{ email: 'ada@example.com', subscribedAt: new Date(0) }])
    const { people, said } = await importExport('kit.csv', { dryRun: true }, store)
    expect(people).toEqual([['ada@example.com', '1970-01-01T00:00:00.000Z', 'subscribed']])
    expect(await store.standings.of('bob@example.com')).toBeUndefined()
    expect(said.at(-1)).toBe(
      '0 would be added, 1 known, 1 unsubscribed, 1 bounced, 1 complained (no letters to them), 1 refused. Nothing was changed.',
    )
  })
})

describe('who left elsewhere', () => {
  it('is known by the gravest of what is said', async () => {
    const text = 'email,status,unsubscribed_at,bounced_at\n'
    const rows = 'ada@example.com,complained,2026-01-01,2026-01-02\nbob@example.com,,2026-01-01,1\n'
    expect((await importText(text + rows)).people.map(([, , standing]) => standing)).toEqual([
      'complained',
      'unsubscribed',
    ])
  })

  it('left when the file says so, unless that is still to come', async () => {
    const store = emptyStore()
    const rows = ['2999-01-01', 'soon', '2026-01-05'].map(
      (time, i) => `visitor${i}@example.com,2025-01-05,yes,${time}`,
    )
    const text = ['email,subscribed_at,unsubscribed,standing_at', ...rows].join('\n')
    const before = Date.now()
    const file = Readable.from([text])
    await importList(store, { file, format: 'csv' }, listening().out)
    const times = [0, 1, 2].map(async (i) => {
      const { at } = (await store.standings.of(`visitor${i}@example.com`)) ?? {}
      return Number(at)
    })
    const [future = 0, none = 0, past] = await Promise.all(times)
    expect(past).toBe(Date.UTC(2026, 0, 5))
    for (const time of [future, none]) {
      expect(time).toBeGreaterThanOrEqual(before)
      expect(time).toBeLessThanOrEqual(Date.now())
    }
  })

  it('is refused whose standing is a word that nobody here knows', async () => {
    const { people, refused } = await importText('email,status\nada@example.com,maybe\n')
    expect(people).toEqual([])
    expect(refused).toBe('line 2: its status "maybe" is not known here\n')
    const text = 'email,status\nada@example.com,maybe\n'
    expect((await importText(text, { statusColumn: 'none' })).people).toHaveLength(1)
    // Whether a one is good or bad, only the operator knows.
    const ones = 'email,status\nada@example.com,1\nbob@example.com,0\n'
    expect((await importText(ones)).people).toEqual([])
    const said = await importText(ones, { statusColumn: 'status=agreed' })
    expect(said.people.map(([, , standing]) => standing).sort()).toEqual([
      'subscribed',
      'unsubscribed',
    ])
  })
})

describe('a file', () => {
  it('may have its columns named by hand, by name or number', async () => {
    const text = 'Contact,Booked,Stage,Email\nada@example.com,2026-01-05,cancelled,no\n'
    const names = { emailColumn: 'contact', timeColumn: 'Booked', statusColumn: '3' }
    expect((await importText(text, names)).people).toEqual([
      ['ada@example.com', '2026-01-05T00:00:00.000Z', 'unsubscribed'],
    ])
    await expect(importText(text, { emailColumn: 'who' })).rejects.toThrow(
      '--email-column: there is no column "who". The columns: Contact, Booked, Stage, Email.',
    )
    for (const [column, said] of [
      ['statusColumn', '--status-column'],
      ['timeColumn', '--time-column'],
    ] as const)
      await expect(importText(text, { emailColumn: '1', [column]: '5' })).rejects.toThrow(
        `${said}: there is no column "5".`,
      )
    const bare = await importText('Ada,ada@example.com,2026-01-05\n', { timeColumn: '3' })
    expect(bare.people).toEqual([['ada@example.com', '2026-01-05T00:00:00.000Z', 'subscribed']])
    expect(bare.said).toContain('Addresses from column 2; times from column 3')
    expect((await importText('a-sep=b@example.com\n')).people).toHaveLength(1)
  })

  it('may be separated by semicolons or tabs, and say so as Excel does', async () => {
    for (const text of [
      'Name;E-Mail\n"Ada; L.";ada@example.com\n',
      'Name\tE-Mail\nAda, L.\tada@example.com\n',
      'sep=;\r\nName;E-Mail\r\nAda, L.;ada@example.com\r\n',
    ])
      expect((await importText(text)).people, text).toMatchObject([['ada@example.com', {}, {}]])
  })

  it('hides no fault of ours behind a line about the file', async () => {
    const file = Readable.from(
      (async function* () {
        yield 'email\n'
        throw new TypeError('a fault of ours')
      })(),
    )
    await expect(importText('', { file })).rejects.toThrow(TypeError)
  })

  it('says line by line what is no subscriber in it, whatever stands there', async () => {
    const lines = [
      { email: 'ada@example.com', subscribedAt: 'x' },
      { email: { toString: 'x' } },
      { email: 'old@example.com', subscribedAt: '1969-12-31T23:59:59.999Z' },
      { email: 'first@example.com', subscribedAt: '1970-01-01T00:00:00.000Z' },
      { email: 'far@example.com', status: 1 },
      { email: `${'x'.repeat(2000)}` },
      [1],
      null,
    ]
    const text = lines.map((line) => JSON.stringify(line)).join('\n')
    const { refused, people } = await importText(text, { format: 'ndjson' })
    expect(people).toMatchObject([
      ['first@example.com', '1970-01-01T00:00:00.000Z', 'subscribed'],
      ['ada@example.com', {}, 'subscribed'],
    ])
    expect(refused.trim().split('\n')).toEqual([
      'line 2: has no e-mail address',
      'line 3: 1969-12-31T23:59:59.999Z is before 1970',
      'line 5: its status "1" is not known here',
      expect.stringMatching(/^line 6: "x{78}… is not an e-mail address$/),
      'line 7: has no e-mail address',
      'line 8: has no e-mail address',
    ])
  })

  it('brings people with the time of the import where theirs cannot be read, and says so', async () => {
    const text =
      'email,created_at\nada@example.com,soon\nbob@example.com,\neve@example.com,2026-01-05\n'
    const before = new Date().toISOString()
    const { people, said } = await importText(text)
    expect(people.map(([email]) => email)).toEqual([
      'eve@example.com',
      'ada@example.com',
      'bob@example.com',
    ])
    expect(people.every(([email, time]) => email === 'eve@example.com' || time >= before)).toBe(
      true,
    )
    expect(said).toMatch(
      /3 added, 0 known, 0 refused\. 2 of them with the time of this import: theirs is missing or cannot be read, such as "soon"\.$/,
    )
    const without = await importText(text, { timeColumn: 'none' })
    expect(without.people.every(([, time]) => time >= before)).toBe(true)
    expect(without.said).toMatch(
      /no times, so all count as signed up now;.*\n3 added, 0 known, 0 refused\.$/,
    )
  })

  it('brings in no address that a check of the site has left, which is nobody', async () => {
    const { people, refused } = await importText(`email\n${probeAddress()}\nada@example.com\n`)
    expect(people).toMatchObject([['ada@example.com', {}, 'subscribed']])
    expect(refused).toMatch(
      /^line 2: check-\S+ comes from a check of the site, and is nobody's address\n$/,
    )
  })

  it('of JSON may have its times as Firestore and MongoDB write them', async () => {
    for (const subscribedAt of [
      { _seconds: 1e9, _nanoseconds: 0 },
      { $date: '2001-09-09T01:46:40Z' },
    ])
      expect(
        (
          await importText(JSON.stringify([{ email: 'ada@example.com', subscribedAt }]), {
            format: 'json',
          })
        ).people,
      ).toEqual([['ada@example.com', '2001-09-09T01:46:40.000Z', 'subscribed']])
  })

  it('of JSON may be wrapped as an API answers', async () => {
    const subscribers = [{ email_address: 'ada@example.com', state: 'active', created_at: 1e9 }]
    for (const wrapped of [{ subscribers }, { data: { page: 1, results: subscribers } }])
      expect((await importText(JSON.stringify(wrapped), { format: 'json' })).people).toEqual([
        ['ada@example.com', '2001-09-09T01:46:40.000Z', 'subscribed'],
      ])
  })
})
