/** @module-tag thorough */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { lookAtList } from '../../../src/store/list-at-rest.ts'
import { sqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import type { KeptWaves } from '../../../src/store/waves.ts'
import { rehearseVersion } from '../../../src/upkeep/update/rehearse-version.ts'
import { waitingRuns } from '../../../src/upkeep/update/waiting-runs.ts'
import { ids } from '../../fixtures/keys.ts'
import { launchPad } from '../../fixtures/launch-pad.ts'
import { ended, run } from '../../fixtures/run.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { worded } from '../worded.ts'
import { founder, withUpstream } from './founder.ts'

const upstream = withUpstream()

const HOUR_MS = 3_600_000
const nothing = { tried: 0, told: 0, failed: 0, left: 0 }

/** A list with an announcement whose first wave ended, and whose second is due. */
async function waiting(dueInMs: number, more: Partial<KeptWaves> = {}) {
  const folder = tempDir()
  const file = join(folder, 'subscribers.sqlite')
  const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  await store.lock.acquire({ owner: 'me', host: 'here', pid: 7 }, HOUR_MS)
  await store.ledger.begin('me', 'launch', { subject: 'Open', digest: 'one' })
  const nextAt = new Date(Date.now() + dueInMs)
  const begunAt = new Date(nextAt.getTime() - HOUR_MS)
  const first = { waves: '50%,100%', everyMs: HOUR_MS, number: 1, target: 1, size: 0 }
  await store.ledger.keepWaves('me', 'launch', {
    ...first,
    begunAt,
    endedAt: begunAt,
    nextAt,
    before: nothing,
    isLast: false,
    ...more,
  })
  await store.lock.release('me')
  await store.close()
  return folder
}

it('refuses to update while an announcement waits for its next wave, which needs no lock', async () => {
  const dataDir = await waiting(HOUR_MS)
  const place = { root: dataDir, next: dataDir, env: {}, isFirestore: false, dataDir }
  const refused = worded(rehearseVersion(place, () => {}))
  await expect(refused).rejects.toThrow(/the next wave is due at .*Nothing was/)
})

it('begins between two waves where that is said, unless a process waits for the next one', {
  tags: 'long',
}, async () => {
  const pad = await launchPad(4)
  const { dataDir } = pad
  const told: string[] = []
  // No program is installed there, so that it ends where it would make a copy with that.
  const [root, next] = [tempDir(), process.cwd()]
  const rehearse = (betweenWaves: boolean) =>
    worded(
      rehearseVersion(
        {
          root,
          next,
          isFirestore: false,
          dataDir,
          betweenWaves,
          env: { PATH: process.env.PATH, DATA_DIR: dataDir },
        },
        (code) => told.push(code),
      ),
    )
  const program = pad.startAnnounce(['--waves', '2', '--every', '1h'])
  await program.printed(/Ctrl-C is safe/)
  await expect(rehearse(true)).rejects.toThrow(/waits here, as process \d+\. Nothing was changed/)
  program.signal('SIGINT')
  await ended(program)
  await expect(rehearse(false)).rejects.toThrow(/update with --between-waves/)
  expect(told).toEqual([])
  await expect(rehearse(true)).rejects.toThrow('The list cannot be copied')
  expect(told[0]).toBe('between-waves')
  expect(pad.inboxes()).toHaveLength(2)
})

it('brings a running server up between two waves, by that option alone', {
  tags: 'long',
}, async () => {
  const ours = upstream()
  const theirs = await founder(ours)
  await theirs.start()
  expect(await theirs.signUp('ada@example.com')).toBe(201)
  const begunAt = new Date().toISOString()
  const first = { waves: '50%,100%', everyMs: HOUR_MS, number: 1, target: 1, size: 0 }
  const nextAt = new Date(Date.now() + HOUR_MS).toISOString()
  const waves = { ...first, begunAt, endedAt: begunAt, nextAt, before: nothing, isLast: false }
  const list = new DatabaseSync(join(theirs.dataDir, 'subscribers.sqlite'))
  list
    .prepare(`
      INSERT INTO announcements (id, subject, digest, begunAt, cutOff, waves)
      VALUES ('launch', 'Open', 'one', ?1, ?1, ?2)`)
    .run(begunAt, JSON.stringify(waves))
  list.close()
  ours.release()
  const before = theirs.head()

  const refused = await theirs.update(['--yes'])
  expect(refused.stderr).toContain('update with --between-waves')
  expect(refused.code).toBe(1)
  expect(theirs.head()).toBe(before)

  const { code, stderr } = await theirs.update(['--yes', '--between-waves'])
  expect(stderr).toContain('Between two waves of an announcement')
  expect(stderr).toMatch(/runs, and is ready\.\n$/)
  expect(code).toBe(0)
  expect(lookAtList(theirs.dataDir)).toMatchObject({ subscribers: 1, nextWaveAt: nextAt })
})

it('sees a process of this list that waits for its next wave, and no other, and refuses to update', async () => {
  const dataDir = await waiting(HOUR_MS, { isLast: true })
  const open = `require('node:fs').openSync('${join(dataDir, 'subscribers.sqlite')}', 'r'); console.log('waits')`
  const words = (command: string) =>
    [
      process.execPath,
      '-e',
      `${open}; setInterval(() => {}, 60_000)`,
      'bin/opening-bell.mjs',
      command,
    ] as const
  const [waits, looks] = [run(dataDir, words('announce')), run(dataDir, words('list'))]
  await Promise.all([waits, looks].map((one) => one.printed(/waits/)))
  expect(waitingRuns(dataDir)).toEqual([waits.pid])
  expect(waitingRuns(tempDir())).toEqual([])
  const place = { root: dataDir, next: dataDir, env: {}, isFirestore: false, dataDir }
  await expect(worded(rehearseVersion(place, () => {}))).rejects.toThrow(
    `waits here, as process ${waits.pid}.`,
  )
  await Promise.all([waits, looks].map((one) => one.end('SIGKILL')))
})

it('does not take another installation for one that waits', { tags: 'long' }, async () => {
  const pad = await launchPad(4)
  const program = pad.startAnnounce(['--waves', '2', '--every', '1h'])
  await program.printed(/Ctrl-C is safe/)
  expect(waitingRuns(pad.dataDir)).toHaveLength(1)
  expect(waitingRuns(tempDir())).toEqual([])
  program.signal('SIGINT')
  await ended(program)
  expect(waitingRuns(pad.dataDir)).toEqual([])
})

it('does not wait for a plan that is over, or that nobody goes on with', async () => {
  expect(lookAtList(await waiting(HOUR_MS))).toMatchObject({ nextWaveAt: expect.any(String) })
  for (const folder of [
    await waiting(HOUR_MS, { isLast: true }),
    await waiting(-HOUR_MS),
    await waiting(HOUR_MS, { endedAt: undefined, nextAt: undefined }),
  ])
    expect(lookAtList(folder)?.nextWaveAt).toBeUndefined()
})
