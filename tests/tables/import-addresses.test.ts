import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { importLines } from '../../src/tables/import-lines.ts'
import type { TableFile } from '../../src/tables/table-rows.ts'
import { emailCases } from '../shared/email-cases.ts'

async function addressesIn(text: string, format: TableFile['format']) {
  const kept: unknown[] = []
  for await (const line of importLines({ file: Readable.from([text]), format }, {}))
    kept.push('problem' in line ? undefined : line.subscriber.email)
  return kept
}

it('an import judges each address as the page and the server do', async () => {
  const rows = emailCases.map(({ input }) => `${JSON.stringify({ email: input })}\n`)
  expect(await addressesIn(rows.join(''), 'ndjson')).toEqual(emailCases.map(({ email }) => email))
})

it('what tools write around an address is not imported, and one person is one', async () => {
  const text = [
    'email,created_at',
    '“ada@example.com”,2026-09-11',
    'max@example.com”,2026-09-11',
    '"""Ada"" <ada@example.com>",2026-09-11',
    'jose\u0301@example.com,2026-09-11',
    'josé@example.com,2026-09-11',
    'ａｄａ＠ example.com,2026-09-11',
    'ａｄａ＠example.com,2026-09-11',
  ]
  expect(await addressesIn(text.join('\n'), 'csv')).toEqual([
    ...['ada@example.com', 'max@example.com', 'ada@example.com'],
    ...['josé@example.com', 'josé@example.com', undefined, 'ada@example.com'],
  ])
})
