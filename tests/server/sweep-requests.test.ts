import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import product from '../../product.config.ts'
import { ids, linkKey } from '../fixtures/keys.ts'
import { restorePending } from '../fixtures/restore-pending.ts'
import { copyOfServer } from '../fixtures/server-copy.ts'
import { startedServer } from '../fixtures/spawned-server.ts'
import { sqliteStore } from '../fixtures/taken-in.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const DAY_MS = 86_400_000
const shown = { words: 'Notify Me', page: 'a1', language: 'en' }

it('who never answered is erased also where confirmation is off again, byte for byte', {
  tags: 'thorough',
}, async () => {
  const dataDir = join(tempDir(), 'data')
  mkdirSync(dataDir)
  const open = () => {
    const file = join(dataDir, 'subscribers.sqlite')
    return sqliteStore({ file, appId: product.appId, addressIds: ids, log: () => {} })
  }
  const store = open()
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS)
  const one = { shown, letters: 1 }
  await restorePending(store, [
    { ...one, email: 'long-ago@example.com', askedAt: ago(15), lastLetterAt: ago(15) },
    { ...one, email: 'lately@example.com', askedAt: ago(13), lastLetterAt: ago(13) },
  ])
  await store.requests.requestConfirmation('unsent@example.com', { shown, isCrowd: false })
  await store.close()
  const bytes = () =>
    readdirSync(dataDir)
      .filter((name) => name.startsWith('subscribers.sqlite'))
      .map((name) => readFileSync(join(dataDir, name), 'latin1'))
      .join()
  expect(bytes()).toContain('long-ago@example.com')

  const root = copyOfServer()
  const env = { DATA_DIR: dataDir, LINK_KEY: linkKey.toString(), CONFIRM: 'off' }
  await startedServer(root, env)
  await expect.poll(bytes, { timeout: 10_000 }).not.toContain('long-ago@example.com')
  const after = open()
  onTestFinished(() => after.close())
  const left = []
  for await (const { email } of after.requests.pending()) left.push(email)
  expect(left).toEqual(['lately@example.com'])
  expect(await after.requests.counts()).toEqual({ waiting: 1, expired: 1 })
})
