import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { exportForTool } from '../../src/cli/commands/export-for.ts'
import { importList } from '../../src/cli/commands/import.ts'
import { suppress } from '../../src/cli/commands/suppress.ts'
import { standingOfFile } from '../../src/cli/commands/table-file.ts'
import { firstNameIn } from '../../src/people/first-name.ts'
import { languageIn } from '../../src/people/known-fields.ts'
import type { Store } from '../../src/store/store.ts'
import { type Tool, tools } from '../../src/tables/format-names.ts'
import { emptySqlite } from '../fixtures/empty-sqlite.ts'
import { ids, linkKey } from '../fixtures/keys.ts'
import { restoreKnown } from '../fixtures/restored.ts'
import { listening } from '../fixtures/spoken.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const at = (day: number) => new Date(`2026-0${day}-01T10:00:00.123Z`)
const consent = {
  words: 'Be the first to know, "really"',
  page: 'a1b2c3',
  language: 'de',
  askedAt: at(2).toISOString(),
  messageId: '<one@example.com>',
  letterDigest: 'x',
  confirmedAt: at(3).toISOString(),
  how: 'button',
}

/** Somebody of every standing, and names and addresses that a file must not garble. */
async function fill(store: Store) {
  await store.list.importAll([
    { email: 'plain@example.com', subscribedAt: at(1) },
    { email: 'ada@example.com', subscribedAt: at(2), extra: { firstName: 'Ada', consent } },
    { email: '=1+1@example.com', subscribedAt: at(3), extra: { firstName: '+Zoë "Z", Ltd' } },
    { email: 'gone@example.com', subscribedAt: at(4), extra: { language: 'ar' } },
    { email: 'dead@example.com', subscribedAt: at(5) },
    { email: 'cross@example.com', subscribedAt: at(6) },
    { email: 'robot@example.com', subscribedAt: at(1), standing: 'quarantined' },
    { email: 'forgotten@example.com', subscribedAt: at(1) },
    { email: 'nobody@example.com', subscribedAt: at(1), extra: { consent } },
  ])
  await store.standings.set([
    { email: 'gone@example.com', standing: 'unsubscribed', at: at(7) },
    { email: 'dead@example.com', standing: 'bounced', at: at(7) },
    { email: 'cross@example.com', standing: 'complained', at: at(8) },
  ])
  await store.standings.forget('forgotten@example.com')
  await restoreKnown(store, [
    {
      addressId: ids.of('nobody@example.com'),
      standing: { standing: 'pending', at: at(8) },
    },
  ])
}

async function everybody(store: Store) {
  const found: Record<string, unknown>[] = []
  for await (const one of store.list.stream({ standing: 'all' })) {
    if (['quarantined', 'pending'].includes(one.standing)) continue
    const { email, subscribedAt, standing, standingAt, extra } = one
    const knows = { firstName: firstNameIn(extra), language: languageIn(extra) }
    found.push({ email, subscribedAt, standing, standingAt, ...knows })
  }
  return found.sort((a, b) => String(a.email).localeCompare(String(b.email)))
}

async function written(store: Store, tool: Tool) {
  const folder = join(tempDir(), 'files')
  const { out, said } = listening()
  await exportForTool(store, { tool, folder, dataDir: tempDir() }, out)
  return { folder, said: said.join('\n'), files: readdirSync(folder).toSorted() }
}

async function filled() {
  const store = await emptySqlite()
  onTestFinished(() => store.close())
  await fill(store)
  return store
}

describe('a list, written for', () => {
  it.each(tools)('%s comes back with the same people in the same standing', async (tool) => {
    const store = await filled()
    const { folder, files, said } = await written(store, tool)
    const other = await emptySqlite()
    onTestFinished(() => other.close())
    for (const file of files) {
      const path = join(folder, file)
      expect(statSync(path).mode & 0o077).toBe(0)
      const everybody = standingOfFile(path)
      const read = { file: createReadStream(path), format: 'csv', linkKey } as const
      const { out, result } = listening()
      const code = await importList(other, { ...read, ...(everybody && { everybody }) }, out)
      expect([code, result()]).toEqual([0, ''])
    }
    expect(await everybody(other)).toEqual(await everybody(store))
    expect(said).toContain(
      'In no file, since nobody knows whether they want letters: 1 pending, 1 quarantined',
    )
    expect(said).toContain('1 of the addresses begin like a formula')
  })

  it.each(tools)('%s gives those who left to suppress, and never as subscribers', async (tool) => {
    const store = await filled()
    const { folder, files } = await written(store, tool)
    const isList = (file: string) => /^subscribe/.test(file)
    const list = files.filter(isList).map((file) => readFileSync(join(folder, file), 'utf8'))
    expect(list.join()).not.toMatch(/gone@|dead@|cross@|robot@|nobody@|forgotten@/)
    const other = await emptySqlite()
    onTestFinished(() => other.close())
    for (const file of files.filter((file) => !isList(file))) {
      const path = join(folder, file)
      const { out, result } = listening()
      const given = { file: createReadStream(path), format: 'csv', linkKey } as const
      expect([await suppress(other, given, out), result()]).toEqual([0, ''])
    }
    for (const email of ['gone', 'dead', 'cross'].map((who) => `${who}@example.com`))
      expect((await other.standings.of(email))?.standing).toBe(
        (await store.standings.of(email))?.standing,
      )
    expect(await other.standings.of('ada@example.com')).toBeUndefined()
  })
})
