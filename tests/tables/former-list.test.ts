import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { importList } from '../../src/cli/commands/import.ts'
import { parseEmail } from '../../src/shared/email.ts'
import { exportList } from '../../src/tables/export-list.ts'
import type { Format } from '../../src/tables/format-names.ts'
import { emptySqlite } from '../fixtures/empty-sqlite.ts'
import { ids, linkKey } from '../fixtures/keys.ts'
import { listening } from '../fixtures/spoken.ts'

/** Files that `export --all` wrote when a list had a table for each kind of data. */
const file = (format: Format) => join(import.meta.dirname, `../fixtures/former-list/all.${format}`)

const byEmail = (rows: readonly Record<string, unknown>[]) =>
  rows.toSorted((a, b) => (String(a.email) < String(b.email) ? -1 : 1))

const parsed = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/** As it is read since: a domain as the DNS has it. */
const asRead = (row: Record<string, unknown>) => ({ ...row, email: parseEmail(String(row.email)) })

/** The language of somebody who confirmed, or told it, is kept as a field too. */
const withLanguage = ({ extra, ...row }: Record<string, unknown>) => ({
  ...row,
  extra: row.language ? { language: row.language, ...(extra as object) } : extra,
})

it.each(['csv', 'ndjson'] as const)(
  'a list that a former version exported as %s comes back whole, and the import says what is not in it',
  async (format) => {
    const store = await emptySqlite()
    onTestFinished(() => store.close())
    const { out, said } = listening()
    const given = { file: createReadStream(file(format)), format, linkKey } as const
    expect(await importList(store, given, out)).toBe(0)
    expect(said.join('\n')).toContain('an announcement that the other list began must not be sent')
    let text = ''
    await exportList(store, { format: 'ndjson', all: true }, async (part) => {
      text += part
    })
    const before = parsed(readFileSync(file('ndjson'), 'utf8'))
      .map(asRead)
      .map(withLanguage)
    expect(byEmail(parsed(text).map(withLanguage))).toEqual(byEmail(before))
    expect(await store.standings.of('dead@example.com')).toMatchObject({ standing: 'bounced' })
    const { consent, answer } = await store.requests.changePending(
      ids.of('ada@example.com'),
      (result) => ({ result }),
    )
    expect([consent?.confirmedAt, answer]).toEqual(['2026-03-01T10:00:00.123Z', '=80331'])
  },
)
