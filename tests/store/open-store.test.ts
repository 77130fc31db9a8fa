import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { linkKeyIn } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'
import { ids, linkKey } from '../fixtures/keys.ts'
import { openStore } from '../fixtures/taken-in.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

async function open(dataDir: string, appId = 'test') {
  const opened = await openStore({ dataDir, appId, linkKey, log: () => {} })
  onTestFinished(() => opened.store.close())
  return opened.store
}

it('says at the start that a list is of another product, and what to do', async () => {
  const dataDir = tempDir()
  const store = await open(dataDir, 'before')
  await store.list.add('visitor@example.com')
  await expect(open(dataDir, 'after')).rejects.toThrow(
    /holds the subscribers of the appId "before", and product.config.ts says "after": put the appId back, or choose another DATA_DIR$/,
  )
  expect(await store.list.count()).toBe(1)
})

it('takes a list that nobody is on for the appId as it is now, and who signs up at a server that knows the former one as well', async () => {
  const dataDir = tempDir()
  const before = await open(dataDir, 'before')
  await before.list.count()
  const said: string[] = []
  const options = { dataDir, appId: 'after', linkKey } as const
  const { store } = await openStore({ ...options, log: (line) => said.push(line) })
  onTestFinished(() => store.close())
  expect(said).toEqual([expect.stringContaining('its appId is "after" now')])
  await before.list.add('ada@example.com')
  await before.list.importAll([{ email: 'bob@example.com', subscribedAt: new Date() }])
  const db = new DatabaseSync(join(dataDir, 'subscribers.sqlite'))
  onTestFinished(() => db.close())
  for (const { path } of db.prepare('SELECT path FROM subscribers').all())
    expect(path).toMatch(/^\/artifacts\/after\/public\/data\/subscribers\/\d+$/)
  expect(await store.list.count()).toBe(2)
  await expect(open(dataDir, 'before')).rejects.toThrow(
    'holds the subscribers of the appId "after"',
  )
})

it.each<[string, (store: Store) => Promise<unknown>]>([
  ['who left', ({ standings }) => standings.unsubscribe(ids.of('ada@example.com'))],
  [
    'who waits for a letter',
    ({ requests }) =>
      requests.requestConfirmation('ada@example.com', {
        isCrowd: false,
        shown: { words: '', page: '', language: 'en' },
      }),
  ],
  ['a public key', ({ codeKeys }) => codeKeys.keep('x', new Date())],
])('does not take a list for another appId that holds %s', async (_, keep) => {
  const dataDir = tempDir()
  await keep(await open(dataDir, 'before'))
  await expect(open(dataDir, 'after')).rejects.toThrow('put the appId back')
})

it('says at the start that a program of another version was here', async () => {
  const dataDir = tempDir()
  await (await open(dataDir)).list.count()
  const db = new DatabaseSync(join(dataDir, 'subscribers.sqlite'))
  db.exec('PRAGMA user_version = 1000')
  db.close()
  await expect(open(dataDir)).rejects.toThrow('is of version 1000')
})

it('starts with a file that is none, which may be put right meanwhile', async () => {
  const broken = tempDir()
  copyFileSync(join(import.meta.dirname, '../fixtures/keys.ts'), join(broken, 'subscribers.sqlite'))
  await expect((await open(broken)).list.count()).rejects.toThrow('file is not a database')
})

it('makes no other link.key for a list that was kept with one which is gone', async () => {
  const dataDir = tempDir()
  const key = linkKeyIn(dataDir)
  const { store } = await openStore({ dataDir, appId: 'test', linkKey: key, log: () => {} })
  onTestFinished(() => store.close())
  const file = join(dataDir, 'link.key')
  // Nobody has left yet, and no link is out that needs the former one.
  await store.list.count()
  rmSync(file)
  expect(linkKeyIn(dataDir)).not.toEqual(key)
  await store.standings.unsubscribe(ids.of('ada@example.com'))
  expect(linkKeyIn(dataDir)).toHaveLength(32)
  rmSync(file)
  expect(() => linkKeyIn(dataDir)).toThrow(`link.key is missing in ${dataDir}`)
  // Of one whose log is missing too, both are said, one after the other: to look makes no empty log.
  const part = tempDir()
  copyFileSync(join(dataDir, 'subscribers.sqlite'), join(part, 'subscribers.sqlite'))
  expect(() => linkKeyIn(part)).toThrow('link.key is missing')
  writeFileSync(join(part, 'link.key'), key)
  await expect(open(part)).rejects.toThrow('is not whole')
})
