/** @module-tag long */
import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { firestoreMigrations } from '../../../src/store/firestore/migrations/all.ts'
import { withFirestoreEmulator } from '../../emulators/with-emulators.ts'
import { firestoreSettings, openFirestore } from '../../store/every-store.ts'
import { founder, git, withUpstream } from './founder.ts'

const upstream = withUpstream()

const emulator = withFirestoreEmulator()
const STEPS = 'src/store/firestore/migrations/all.ts'
const version = firestoreMigrations.length + 1
const noWayBack =
  'In Firestore there is no way back from that, and no copy is made from here: docs/firebase.md.\n'

/** A founder's server with its list in a Firestore, and somebody on it. */
async function onFirestore() {
  const settings = firestoreSettings(emulator().origin, `demo-${randomUUID()}`)
  const ours = upstream()
  const theirs = await founder(ours, settings)
  await theirs.start()
  expect(await theirs.signUp('before@example.com')).toBe(201)
  return {
    ours,
    theirs,
    settings,
    /** A version with one step more in Firestore. */
    release() {
      const step = `{ version: ${version}, why: 'Something is kept.', up: async () => {} }`
      ours.change(STEPS, ',\n]', `,\n  ${step},\n]`)
      return ours.commit('Keep something')
    },
  }
}

it('goes back by itself on Firestore, but stays over a step of it, of which it says before that there is no way back', async () => {
  const { ours, theirs, settings, release } = await onFirestore()
  const before = theirs.head()
  const broken = ours.neverReady()
  const failed = await theirs.update(['--yes', '--ready-within', '2'])
  expect(failed.stderr).not.toContain(noWayBack)
  expect(failed.stderr).toContain('since a list in Firestore cannot be copied from here')
  expect(failed.stderr).toContain('The new version is not ready: /readyz ')
  expect(failed.stderr).toContain(`${before.slice(0, 9)} runs again, as before.`)
  expect(failed.code).toBe(1)
  expect(theirs.head()).toBe(before)
  expect(await theirs.signUp('between@example.com')).toBe(201)

  const newer = release()
  const stays = await theirs.update(['--yes', '--ready-within', '2'])
  const [plan = '', after = ''] = stays.stderr.split('Putting ')
  expect(plan).toContain(`  ${version}: Something is kept.\n${noWayBack}`)
  expect(after).toContain(
    'The new version stays: the data in Firestore may be of that version by now',
  )
  expect(stays.code).toBe(1)
  expect(theirs.head()).toBe(newer)

  ours.revert(broken)
  const newest = git(ours.folder, 'rev-parse', 'HEAD')
  // Where the version before ended while it brought Firestore up, its lease has to be over first.
  const { code, stderr } = await theirs.update(['--yes', '--ready-within', '240'])
  expect(stderr).not.toContain(noWayBack)
  expect(stderr).toMatch(/ runs, and is ready\.\n$/)
  expect(code).toBe(0)
  expect(theirs.head()).toBe(newest)
  expect(await theirs.signUp('after@example.com')).toBe(201)
  // What was brought up is refused by the code of before; nothing of it is here.
  const old = openFirestore(emulator().origin, settings.GOOGLE_CLOUD_PROJECT)
  await expect(old.checkWritable()).rejects.toThrow(/newer/)
  await old.close()
  expect(readdirSync(theirs.dataDir).filter((name) => name.includes('sqlite'))).toEqual([])
  for (const said of [failed.stderr, stays.stderr, stderr])
    expect(said).not.toMatch(/BACKUP_TO|ran on a copy/)
}, 600_000)
