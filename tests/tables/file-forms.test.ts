import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { importLines, type Reading } from '../../src/tables/import-lines.ts'
import { type TableFile, tableRows } from '../../src/tables/table-rows.ts'
import { worded } from '../upkeep/worded.ts'

const table = (bytes: string | Buffer, of: Partial<TableFile> = {}): TableFile => ({
  file: Readable.from([Buffer.from(bytes)]),
  format: 'csv',
  ...of,
})

async function rowsOf(bytes: string | Buffer, of?: Partial<TableFile>) {
  const rows: unknown[] = []
  for await (const { names, cells } of tableRows(table(bytes, of))) {
    if (rows.length === 0 && names) rows.push(names)
    rows.push(cells)
  }
  return rows
}

/** What is kept of each line, or the code of its refusal. */
async function linesOf(text: string | Buffer, of: Partial<TableFile> = {}, reading: Reading = {}) {
  const lines: unknown[] = []
  for await (const line of importLines(table(text, of), reading))
    lines.push('problem' in line ? line.problem : (line.subscriber.extra ?? {}))
  return lines
}

describe('the lines of a table', () => {
  it.each([
    ['CR', '\r'],
    ['CR and LF', '\r\n'],
    ['LF', '\n'],
  ])('may end in %s, also where the file comes byte by byte', async (_name, end) => {
    const text = ['email;name', 'ada@example.com;"A\nd"', 'bob@example.com;B', ''].join(end)
    const file = Readable.from([...Buffer.from(text)].map((byte) => Buffer.from([byte])))
    const rows = [
      ['email', 'name'],
      ['ada@example.com', 'A\nd'],
      ['bob@example.com', 'B'],
    ]
    expect(await rowsOf('', { file })).toEqual(rows)
    expect(await rowsOf(text)).toEqual(rows)
  })

  it('may end in each way in one file, also of JSON', async () => {
    const text = 'email\rada@example.com\nbob@example.com\r\n\r\neve@example.com'
    expect(await rowsOf(text)).toHaveLength(4)
    const entries = ['ada', 'bob'].map((name) => JSON.stringify({ email: `${name}@example.com` }))
    expect(await rowsOf(entries.join('\r'), { format: 'ndjson' })).toHaveLength(3)
  })

  it('are as many as a file of an old Mac has', async () => {
    const many = Array.from({ length: 60_000 }, (_, i) => `visitor${i}@example.com`)
    expect(await rowsOf(['email', ...many].join('\r'))).toHaveLength(60_001)
  })
})

describe('the quotes of a table', () => {
  it('hold a cell of several lines, also between tabs', async () => {
    const text = 'email\taddress\nada@example.com\t"12 Row\nLondon "" 1"\nbob@example.com\tBath'
    expect((await rowsOf(text)).slice(1)).toEqual([
      ['ada@example.com', '12 Row\nLondon " 1'],
      ['bob@example.com', 'Bath'],
    ])
    const open = 'email\tname\nada@example.com\tAda "Countess" L\n'
    await expect(worded(rowsOf(open))).rejects.toThrow('line 2: a quote stands in a cell')
  })

  it('may follow a comma and a blank', async () => {
    const text = 'email, name, city\nada@example.com, "Lovelace, ""Ada""" , "London"\n'
    expect(await rowsOf(text)).toEqual([
      ['email', 'name', 'city'],
      ['ada@example.com', 'Lovelace, "Ada"', 'London'],
    ])
    const broken = 'email,name\nada@example.com,"A" da\n'
    await expect(worded(rowsOf(broken))).rejects.toThrow('something stands between')
  })
})

describe('the encoding of a table', () => {
  const text = 'email,first name\njuergen@example.com,Jürgen\nada@example.com,Ada\n'

  it('is asked for where a letter of a cell that is read would be lost', async () => {
    const latin = Buffer.from(text, 'latin1')
    expect(await linesOf(latin)).toEqual([{ code: 'not-decoded' }, { firstName: 'Ada' }])
    expect(await linesOf(latin, { encoding: 'shift_jis' })).toMatchObject([
      { code: 'not-decoded', encoding: 'shift_jis' },
      {},
    ])
    expect(await linesOf(latin, { encoding: 'windows-1252' })).toMatchObject([
      { firstName: 'Jürgen' },
      {},
    ])
    const unread = Buffer.from(text.replace('first name', 'city'), 'latin1')
    expect(await linesOf(unread)).toEqual([{}, {}])
    const head = Buffer.from(text.replace('first name', 'Abgemeldet für'), 'latin1')
    await expect(worded(linesOf(head))).rejects.toThrow('The name of a column has characters')
  })

  it('is UTF-8 where it is said, and a name that lost a letter before is none', async () => {
    const lost = text.replace('ü', '\ufffd')
    expect(await linesOf(lost)).toMatchObject([{ code: 'not-decoded' }, {}])
    expect(await linesOf(lost, { encoding: 'utf-8' })).toEqual([{}, { firstName: 'Ada' }])
  })

  it('is said by its mark, or by its zeros, before it is asked for', async () => {
    const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
    const all = [{ firstName: 'Jürgen' }, { firstName: 'Ada' }]
    const big = Buffer.from(utf16).swap16()
    for (const bytes of [utf16, big, utf16.subarray(2), big.subarray(2)])
      expect(await linesOf(bytes)).toEqual(all)
    for (const marked of [utf16, big, `\ufeff${text}`])
      expect(await linesOf(marked, { encoding: 'windows-1252' })).toEqual(all)
  })

  it.each([
    ['macintosh', 'J\u009frgen', 'Jürgen'],
    ['windows-1250', 'Ji\u00f8\u00ed', 'Jiří'],
    ['windows-1251', '\u00c0\u00ed\u00ed\u00e0', 'Анна'],
    ['shift_jis', '\u0089\u00d4\u008eq', '花子'],
  ])('may be named: %s', async (encoding, bytes, name) => {
    const file = Buffer.from(`email,first name\nada@example.com,${bytes}\n`, 'latin1')
    expect(await linesOf(file, { encoding })).toEqual([{ firstName: name }])
  })
})

it.each([
  ['PK\u0005\u0006', 'a workbook or an archive'],
  [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'a workbook or an archive'],
  [Buffer.from('1f8b0800', 'hex'), 'a workbook or an archive'],
  ['<!DOCTYPE html>\n<table>', 'a web page or XML'],
  ['\ufeff<html><table>', 'a web page or XML'],
  ['<?xml version="1.0"?>\n<Workbook>', 'a web page or XML'],
  ['[{"email":"ada@example.com"}]', 'add --format json'],
  ['{"email":"ada@example.com"}\n', 'add --format json'],
  ['{\\rtf1 email}', 'no text'],
])('%j is no table, whatever its name says', async (bytes, said) => {
  await expect(worded(rowsOf(bytes))).rejects.toThrow(said)
  await expect(worded(rowsOf(bytes, { encoding: 'windows-1252' }))).rejects.toThrow(said)
})

describe('a character reference of HTML', () => {
  it.each([
    ['Jos&eacute;', 'José'],
    ['O&#39;Brien', "O'Brien"],
    ['O&#146;Brien', 'O’Brien'],
    ['Zo&#xEB;', 'Zoë'],
  ])('in %s is decoded', async (text, decoded) => {
    const lines = linesOf(`email;first name\nada@example.com;"${text}"`)
    expect(await lines).toEqual([{ firstName: decoded }])
  })

  it('is decoded once, and one of no character is no name', async () => {
    const names = ['J&amp;uuml;rgen', '&constructor;', '&#x110000;']
    const text = ['email;first name', ...names.map((name) => `ada@example.com;"${name}"`)]
    expect(await linesOf(text.join('\n'))).toEqual([{}, {}, {}])
  })

  it('makes neither markup nor a link of a name', async () => {
    const names = ['Jos&eacute;', '&lt;b&gt;Ada', '&amp;lt;b&amp;gt;', 'evil&#46;example', '&amp;']
    const text = ['email;first name', ...names.map((name) => `ada@example.com;"${name}"`)]
    expect(await linesOf(text.join('\n'))).toEqual([{ firstName: 'José' }, {}, {}, {}, {}])
  })
})
