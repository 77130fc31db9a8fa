/** @module-tag thorough */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ended, limitedTo, run } from '../../fixtures/run.ts'
import { copyOfServer } from '../../fixtures/server-copy.ts'
import { startedServer, visitor } from '../../fixtures/spawned-server.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const main = join(import.meta.dirname, '../../../src/cli/main.ts')

function folders() {
  const root = tempDir()
  const [dataDir, to] = [join(root, 'data'), join(root, 'copies')]
  for (const folder of [dataDir, to]) mkdirSync(folder, { mode: 0o700 })
  const env = { DATA_DIR: dataDir, BACKUP_TO: to, LINK_KEY: '', npm_lifecycle_event: '' }
  const tool = (args: string[], blocks = 'unlimited') =>
    ended(run(root, limitedTo(blocks, [process.execPath, main, ...args]), env))
  return { root, to, env, tool }
}

it('a copy that is made while visitors sign up is whole, and has whoever was thanked before', async () => {
  const { to, env, tool } = folders()
  const { origin } = await startedServer(copyOfServer(), { ...env, RATE_LIMIT: '0' })
  const signUp = await visitor(origin)
  for (let i = 0; i < 50; i += 1) expect(await signUp(`before${i}@example.com`)).toBe(201)
  let done = false
  let more = 0
  const visitors = Promise.all(
    Array.from({ length: 8 }, async (_, one) => {
      for (let i = 0; !done; i += 1) {
        expect(await signUp(`during${one}-${i}@example.com`)).toBe(201)
        more += 1
      }
    }),
  )
  const made = await tool(['backup', '--keep', '7,4,12', '--json'])
  done = true
  await visitors
  expect(made.code).toBe(0)
  const { subscribers } = JSON.parse(made.stdout)
  expect(subscribers).toBeGreaterThanOrEqual(50)
  expect(subscribers).toBeLessThanOrEqual(50 + more)
  expect(more).toBeGreaterThan(0)
  expect(readdirSync(to)).toHaveLength(1)
  const refused = await tool(['restore', join(to, readdirSync(to)[0] ?? '')])
  expect(refused.stderr).toContain('Stop the server')
  expect(await signUp('after@example.com')).toBe(201)
  const tried = await tool(['backup', '--rehearse'])
  expect(tried.stderr).toContain('all as they were.')
})

it('a full disk costs no copy that is there, and leaves no part of a new one', {
  tags: 'long',
}, async () => {
  const { root, to, tool } = folders()
  writeFileSync(
    join(root, 'list.csv'),
    `email\n${Array.from({ length: 3000 }, (_, i) => `somebody${i}@example.com`).join('\n')}\n`,
  )
  expect((await tool(['import', 'list.csv'])).code).toBe(0)
  expect((await tool(['backup', '--keep', '1,0,0'])).code).toBe(0)
  const before = readdirSync(to)
  expect(before).toHaveLength(1)
  const failed = await tool(['backup', '--keep', '1,0,0'], '100')
  expect([failed.code, failed.stderr]).toEqual([1, expect.not.stringContaining('A fault')])
  expect(readdirSync(to)).toEqual(before)
  expect((await tool(['restore', join(to, before[0] ?? ''), '--check'])).code).toBe(0)
  // With room again, the new one takes the place of the old.
  expect((await tool(['backup', '--keep', '1,0,0'])).code).toBe(0)
  expect(readdirSync(to)).toHaveLength(1)
  expect(readdirSync(to)).not.toEqual(before)
})
