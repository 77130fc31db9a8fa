/** @module-tag thorough */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { importList } from '../../src/cli/commands/import.ts'
import { errorInWords } from '../../src/cli/words/refusals.ts'
import { parseEmail } from '../../src/shared/email.ts'
import { Refused } from '../../src/shared/refused.ts'
import type { Format } from '../../src/tables/format-names.ts'
import { homeOnFile } from '../fixtures/home.ts'
import { listening } from '../fixtures/spoken.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { amount, chance, report, seed } from './form.ts'

const ORDERS = amount(40, 1000)
const BROKEN_FILES = amount(200, 20_000)
const MEGABYTES = amount(30, 700)
const MILLIONS_OF_LINES = amount(2, 10)
/** A bare Node takes 50 of them, and the tool 90. */
const MOST_MB = 300
/** Whoever left is in every file, as somebody who is there. */
const left = 'left@example.com'
const ada = 'ada@example.com'

function openHome() {
  const home = homeOnFile()
  onTestFinished(() => home.store.close())
  return home
}

type Store = ReturnType<typeof openHome>['store']

/** A store that `left` has been on, and has left. */
async function storeWithLeft(): Promise<Store> {
  const { store } = openHome()
  await store.list.importAll([
    { email: left, subscribedAt: new Date('2026-01-01'), standing: 'unsubscribed' },
  ])
  return store
}

/** Brings a file in. It ends in a count, or in one line that says why not; anything else throws. */
async function imported(store: Store, content: string | Buffer, format: Format) {
  const { out, said, result } = listening()
  const file = Readable.from(pieces(Buffer.from(content)))
  let end: string | undefined
  try {
    await importList(store, { file, format }, out)
    end = said.at(-1)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    end = errorInWords(error)
  }
  expect(end).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(String(end).length).toBeLessThan(300)
  for (const line of [...said, ...result().split('\n')]) expect(line.length).toBeLessThan(3000)
  return { end, refused: result() }
}

/** As a file is read. */
function* pieces(file: Buffer) {
  for (let at = 0; at < file.length; at += 65_536) yield file.subarray(at, at + 65_536)
}

/** Nobody who left is written to, and nobody is on the list who is no address or of no time. */
async function expectClean(store: Store) {
  for await (const { email, subscribedAt } of store.list.stream()) {
    expect(email).not.toBe(left)
    expect(parseEmail(email)).toBe(email)
    expect(subscribedAt.getTime()).toBeGreaterThanOrEqual(0)
    expect(subscribedAt.getTime()).toBeLessThanOrEqual(Date.now())
  }
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
const bytes = (...parts: (string | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)))
const nested = (begin: string, end: string, times = 200_000) =>
  begin.repeat(times) + end.repeat(times)
const rows = `email\n${ada}\n${left}\n`
const ONE_ADDED = /^1 added, 1 known, 0 refused\.$/

/** What it is called: its format, what stands in it, and what comes of it. */
const hostile: Record<string, readonly [Format, string | Buffer, RegExp]> = {
  'a quote that is never closed': ['csv', `email\n"${ada}\n${left}\n`, /^after line 1: a quote is/],
  'a quote in the middle of a cell': [
    'csv',
    'email\nada"@example.com\n',
    /^line 2: a quote stands/,
  ],
  'something after a quote': ['csv', `email\n"${ada}"x\n`, /^line 2: something stands between/],
  'NULs from the start': ['csv', `email\0,x\n${ada}\0,1\n`, /^This is no text/],
  'NULs late in it': [
    'csv',
    `${rows}${'x'.repeat(70_000)}\n\0\0@example.com\n`,
    /^1 added.* 2 refused/,
  ],
  'bytes that are no UTF-8': ['csv', bytes(rows, [0xc0, 0x40, 0xff, 10]), /^1 added.* 1 refused/],
  'half a character': ['csv', `${rows}\ud800@example.com\n`, /^1 added.* 1 refused/],
  'a byte order mark': ['csv', `\ufeff${rows}`, ONE_ADDED],
  'two of them': ['csv', `\ufeff\ufeff${rows}`, ONE_ADDED],
  'nothing but one': ['csv', '\ufeff', /^0 added, 0 known, 0 refused/],
  'nothing at all': ['json', '', /^This is not a JSON list/],
  'UTF-16, little end first': ['csv', utf16(rows), ONE_ADDED],
  'UTF-16, big end first': ['csv', utf16(rows).swap16(), ONE_ADDED],
  'UTF-16 in JSON': ['json', utf16(`["x",{"email":"${ada}"}]`), /^1 added, 0 known, 1 refused/],
  'UTF-16 that ends in half a letter': ['csv', bytes([...utf16(rows), 0x41]), / 1 refused\.$/],
  'UTF-32': ['csv', bytes([0xff, 0xfe, 0, 0, 0x65, 0, 0, 0]), /^This is UTF-32/],
  'UTF-32, big end first': ['csv', bytes([0, 0, 0xfe, 0xff, 0, 0, 0, 0x65]), /^This is UTF-32/],
  'no text at all': ['csv', '%PDF-1.7\n', /^This is no text/],
  'a quote around very much': [
    'csv',
    `email\n"${'a\n'.repeat(600_000)}"`,
    /^after line 1: a row has/,
  ],
  'a line that is very long': [
    'csv',
    `${rows}${'x'.repeat(1_000_001)}`,
    /^1 added, 1 known, 1 refused/,
  ],
  'a workbook': ['csv', bytes('PK', [3, 4], 'xl/workbook.xml'), /^This is a workbook/],
  'lines that end as on an old Macintosh': ['csv', rows.replaceAll('\n', '\r'), ONE_ADDED],
  'times at the ends of the calendar': [
    'csv',
    [
      'email,subscribedAt',
      ...['+275760-09-13T00:00:00.000Z', '275760-09-13', '-271821-04-20', '0000-01-01'],
      ...['9999999999999', '99999', '1969-12-31T23:59:59Z', '9'.repeat(90), 'NaN', '1e999'],
    ].join(`\n${ada},`),
    // Those that are no time at all come with the time of the import.
    /^1 added, 5 known, 4 refused\. 1 of them with the time of this import/,
  ],
  'objects that answer for themselves': [
    'ndjson',
    [
      '{"email":{"toString":"x"}}',
      `{"email":"${ada}","at":{"toString":"x","valueOf":1}}`,
      `{"email":"${ada}","at":{"toISOString":1}}`,
      `{"__proto__":{"email":"${ada}"}}`,
      '{"email":["x"]}',
      ...['null', '[]', '1', '"x"', '{', '{"email":'],
    ].join('\n'),
    /^1 added, 1 known, 9 refused\.$/,
  ],
  'names that every object has': [
    'csv',
    `constructor,__proto__,toString,email\nunsubscribed,x,x,${ada}\n`,
    /^1 added, 0 known, 0 refused\.$/,
  ],
  'an address nested 200,000 deep': [
    'ndjson',
    `{"email":${nested('[', ']')}}`,
    /^The first line has nei/,
  ],
  'a standing so deep': [
    'ndjson',
    `{"email":"${ada}","status":${nested('[', ']')}}`,
    /^The first li/,
  ],
  'extras so deep': [
    'ndjson',
    `{"email":"${ada}","extra":${'{"a":'.repeat(99_999)}1${'}'.repeat(99_999)}}`,
    /^The first line has neither/,
  ],
  'a list so deep': ['json', nested('[', ']'), /^This is not a JSON list/],
  'brackets that open only': ['json', '['.repeat(3_000_000), /^This is not a JSON list/],
  'braces that open only': ['json', '{"a":'.repeat(400_000), /^This is not a JSON list/],
  'a list that is cut off': ['json', `[{"email":"${ada}"},{"em`, /^This is not a JSON list/],
  'a page in place of JSON': ['json', '<!doctype html>[1]', /^This is not a JSON list/],
  'brackets and quotes in strings': [
    'json',
    `{"data":{"n":"]}[{\\\\\\"","all":[{"name":",]}\\"[","email":"${ada}"},{"email":"${left}"}]}}`,
    ONE_ADDED,
  ],
  formulas: [
    'csv',
    `email\n+a@example.com\n=cmd()@example.com\n'=cmd()\n"=HYPERLINK(""http://x"")"\n@SUM(1)\n-2\n`,
    /^1 added, 0 known, 5 refused\.$/,
  ],
  'columns without number': ['csv', `email${',x'.repeat(30_000)}\n${ada}\n`, /^1 added/],
  'a name that is a novel': ['csv', `email,${'x'.repeat(30_000)}\n${ada}\n`, /^1 added/],
  'columns that change from row to row': [
    'ndjson',
    Array.from({ length: 2000 }, (_, i) => `{"x${i}":1,"email":"a${i}@example.com"}`).join('\n'),
    /^This JSON has more than 1,000 names/,
  ],
  'two standings that disagree': [
    'csv',
    `email,status,status\n${ada},active,unsubscribed\n`,
    /^0 added, 0 known, 1 unsubscribed \(no letters to them\), 0 refused\.$/,
  ],
}

describe('a hostile file that is imported', () => {
  it.for(Object.entries(hostile))('ends in one clear line: %s', async ([, file]) => {
    const [format, content, expected] = file
    const store = await storeWithLeft()
    expect((await imported(store, content, format)).end).toMatch(expected)
    await expectClean(store)
  })

  it('subscribes nobody who left, in whatever order its columns stand', {
    timeout: 600_000,
  }, async (context) => {
    const random = chance(seed)
    const cells = new Map<string, readonly [gone: string, there: string]>([
      ['email', ['gone@example.com', 'there@example.com']],
      ['status', ['unsubscribed', 'active']],
      ['unsub_time', ['2026-02-01', '']],
      ['created_at', ['2026-01-01', '2026-01-02']],
      ['name', ['active', 'unsubscribed']],
      ['constructor', ['', '']],
      ['notes', ['there@example.com', 'no']],
    ])
    const among = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)] as T
    for (let n = 0; n < ORDERS; n++) {
      const tells = among(['status', 'unsub_time'])
      const names = [...cells.keys()]
        .filter((name) => ['email', tells].includes(name) || random() < 0.6)
        .toSorted(() => random() - 0.5)
      const line = (at: 0 | 1) => names.map((name) => cells.get(name)?.[at]).join(',')
      const header = names.map((name) => (random() < 0.5 ? name.toUpperCase() : name)).join(',')
      const store = await storeWithLeft()
      const { end } = await imported(store, [header, line(0), line(1)].join('\n'), 'csv')
      expect(end, `seed ${seed}: ${header}`).toBe(
        '1 added, 0 known, 1 unsubscribed (no letters to them), 0 refused.',
      )
      expect(await store.standings.of('gone@example.com')).toMatchObject({
        standing: 'unsubscribed',
      })
      expect(await store.standings.of('there@example.com')).toBeUndefined()
      await store.close()
    }
    report(context, {
      done: 'imports with their columns in random order',
      times: ORDERS,
      result: `nobody was subscribed who had left (seed ${seed})`,
    })
  })

  it('with random damage, ends in a count or in one line', {
    tags: 'long',
    timeout: 600_000,
  }, async (context) => {
    const random = chance(seed)
    const below = (n: number) => Math.floor(random() * n)
    const people = ['ada', 'bob', 'left'].map((name) => ({ email: `${name}@example.com`, n: [1] }))
    const whole: readonly (readonly [Format, string])[] = [
      ['csv', `email,status,created_at\n"${ada}",active,2026-01-01\n${left},active,1767225600\n`],
      ['json', JSON.stringify({ data: people })],
      ['ndjson', people.map((one) => JSON.stringify(one)).join('\n')],
    ]
    const nasty = [0, 0x22, 0x2c, 0x5b, 0x7b, 0x5d, 0x7d, 0x5c, 0x0a, 0x0d, 0xff, 0xfe, 0xef, 0x27]
    const store = await storeWithLeft()
    const ends = { counted: 0, refused: 0 }
    for (let n = 0; n < BROKEN_FILES; n++) {
      const [format, text] = whole[below(whole.length)] ?? ['csv', '']
      const file = Buffer.from(text)
      for (let flips = 1 + below(6); flips > 0; flips--)
        file[below(file.length)] = nasty[below(nasty.length)] ?? 0
      const { end } = await imported(store, file.subarray(0, below(file.length + 1)), format)
      ends[/refused\.$/.test(String(end)) ? 'counted' : 'refused'] += 1
    }
    await expectClean(store)
    expect(Math.min(...Object.values(ends))).toBeGreaterThan(BROKEN_FILES / 20)
    report(context, {
      done: 'imports of files with random damage',
      times: BROKEN_FILES,
      result: `${ends.counted} read, ${ends.refused} refused in a line, nobody back who left (seed ${seed})`,
    })
  })
})

const main = join(import.meta.dirname, '../../src/cli/main.ts')
const TELL_MEMORY = `--import=data:text/javascript,process.on('exit',()=>console.error('took',process.resourceUsage().maxRSS))`

/** Feeds the tool, as a process of its own, from a pipe. @param parts begin, and what is repeated. */
async function feed(args: readonly string[], begin: string, part: string, times: number) {
  const { env } = openHome()
  const tool = spawn(process.execPath, [TELL_MEMORY, main, 'import', ...args], {
    env: { ...process.env, ...env },
  })
  onTestFinished(() => void tool.kill('SIGKILL'))
  const said = { stdout: 0, stderr: '' }
  tool.stdout.on('data', (text) => {
    said.stdout += text.length
  })
  tool.stderr.setEncoding('utf8').on('data', (text) => {
    said.stderr += text
  })
  // It ends before the file does.
  tool.stdin.on('error', () => {})
  function* file() {
    yield begin
    for (let n = 0; n < times; n++) yield part
  }
  Readable.from(file()).pipe(tool.stdin)
  const code = await new Promise((resolve) => tool.on('close', resolve))
  const [, kilobytes] = /^took (\d+)\n/m.exec(said.stderr) ?? []
  const lines = said.stderr
    .replace(/^took .*\n/m, '')
    .trim()
    .split('\n')
  return { code, lines, megabytes: Number(kilobytes) / 1024 }
}

describe('the tool, given a file that is too much,', () => {
  const megabyte = 'x'.repeat(1_000_000)
  const endless: Record<string, readonly [Format, string, string, RegExp]> = {
    'a line without end': [
      'csv',
      'email\n',
      megabyte,
      /^after line 1: a row has more than a million char/,
    ],
    'a quote around all of it': [
      'csv',
      'email\n"',
      'x,\n'.repeat(333_333),
      /so a quote may not be/,
    ],
    'a line of ndjson without end': ['ndjson', '', megabyte, /^This JSON has more than 20 million/],
    'an entry of JSON without end': ['json', '["', megabyte, /^This JSON has more than 20 million/],
    'empty lines': ['csv', 'email\n', '\n'.repeat(1_000_000), /^0 added, 0 known, 0 refused\.$/],
    'empty lines of ndjson': ['ndjson', '', '\n'.repeat(1_000_000), /^0 added, 0 known, 0 refused/],
    'JSON before its list': [
      'json',
      '{"a":{',
      '"b":"c",'.repeat(125_000),
      /^This JSON has more than 20 million/,
    ],
  }

  it.for(Object.entries(endless))(
    'takes bounded memory: %s',
    { tags: 'long', timeout: 600_000 },
    async ([what, [format, begin, part, expected]], context) => {
      const times = part.startsWith('\n') ? MILLIONS_OF_LINES : MEGABYTES
      const { lines, megabytes } = await feed(['-', '--format', format], begin, part, times)
      expect(lines.at(-1)).toMatch(expected)
      expect(lines.join('\n')).not.toMatch(/ at .*:\d+:\d+/)
      expect(megabytes).toBeGreaterThan(30)
      expect(megabytes).toBeLessThan(MOST_MB)
      report(context, {
        done: `an import of ${times} MB: ${what}`,
        times: 1,
        result: `one line, ${Math.round(megabytes)} MB of memory`,
      })
    },
  )

  it('reads a pipe by its name, and no folder', async () => {
    const folder = tempDir()
    mkdirSync(join(folder, 'list.csv'))
    const { code, lines } = await feed([join(folder, 'list.csv')], '', '', 0)
    expect({ code, lines }).toEqual({
      code: 1,
      lines: ['The file cannot be read: it is a folder'],
    })
    const pipe = join(folder, 'pipe.csv')
    execFileSync('mkfifo', [pipe])
    spawn('sh', ['-c', `printf 'email\\n${ada}\\n' > "$0"`, pipe])
    const read = await feed([pipe], '', '', 0)
    expect(read).toMatchObject({ code: 0 })
    expect(read.lines.at(-1)).toBe('1 added, 0 known, 0 refused.')
  })
})
