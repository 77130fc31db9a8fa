import {
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { spoil } from '../../fixtures/merged-copy.ts'
import { person } from '../../store/contracts/people.ts'
import { copyOf, keptFolder } from './kept-folder.ts'

const day = '2026-01-05'

/** A copy of people who stand in every way, in a folder. */
async function rehearsed() {
  const folder = await keptFolder(40)
  const { store, ids } = folder
  await store.standings.unsubscribe(ids.of(person(2).email))
  await store.standings.forget(person(3).email)
  await store.list.add('robot@example.com', { suspicion: 'too-quick' })
  const counts = { first: 3, return: 2, robot: 1, prefetch: 4 }
  await store.visits.add([{ hour: new Date(Date.UTC(2026, 0, 5, 9)), counts, names: [] }])
  await store.events.open(['left', 'forgotten'], 'a receiver')
  await store.standings.unsubscribe(ids.of(person(4).email))
  const then = new Date('2026-01-01')
  utimesSync(join(folder.dataDir, 'link.key'), then, then)
  await folder.keep(day)
  return { ...folder, file: folder.path(copyOf(day)) }
}

/** Changes one letter somewhere in the file, as a bad sector would. */
function damage(file: string, text: string) {
  const bytes = readFileSync(file)
  bytes.write('X', bytes.indexOf(text))
  writeFileSync(file, bytes)
}

describe('backup --rehearse', () => {
  it('restores the newest copy and finds everything', async () => {
    const { rehearse, store, dataDir } = await rehearsed()
    // What came since is in no copy, and no fault of it.
    await store.list.add('since@example.com')
    const { code, said } = await rehearse()
    expect(said).toMatch(/was restored and compared: 40 people, all as they were\.$/)
    expect(code).toBe(0)
    expect((await store.backups.record()).rehearsal?.fault).toBeUndefined()
    expect(readdirSync(dataDir).filter((name) => /backup-(?!lock)/.test(name))).toEqual([])
  })

  it.each([
    // No index is held against these bytes: SQLite alone would not notice.
    ['a changed byte', (file: string) => damage(file, '2026-01-01T')],
    ['somebody missing', (file: string) => spoil(file, 'DELETE FROM persons WHERE n = 3')],
    ['a visit more', (file: string) => spoil(file, 'UPDATE visits SET first = first + 1')],
    [
      'another list',
      (file: string) => spoil(file, "UPDATE notes SET data = '\"other\"' WHERE name = 'appId'"),
    ],
    ['half of it', (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2))],
    ['nothing', (file: string) => truncateSync(file)],
  ])('finds %s in a copy, says so, and ends with 1', async (_name, happens) => {
    const { rehearse, file, store } = await rehearsed()
    happens(file)
    const { code, said } = await rehearse()
    expect(code).toBe(1)
    expect(said).toMatch(/cannot be restored as it was: ./)
    const { rehearsal, goodRehearsal } = await store.backups.record()
    expect(rehearsal?.fault).toBeTruthy()
    expect(rehearsal?.fault).not.toContain('@')
    expect(goodRehearsal).toBeUndefined()
  })

  it('finds an older copy under the name of the newest, whose seal is right', async () => {
    const { rehearse, keep, path, file } = await rehearsed()
    await keep('2026-01-20')
    renameSync(file, path(copyOf('2026-01-20')))
    expect((await rehearse()).said).toContain('it is not as it was made')
  })

  it('is whole without a key that was made since, not without one from before, nor with another', async () => {
    const { rehearse, dataDir } = await rehearsed()
    writeFileSync(join(dataDir, 'invitation.key'), 'A'.repeat(43), { mode: 0o600 })
    expect((await rehearse()).code).toBe(0)
    const before = new Date('2026-01-04')
    utimesSync(join(dataDir, 'invitation.key'), before, before)
    writeFileSync(join(dataDir, 'link.key'), 'B'.repeat(43), { mode: 0o600 })
    const faults = 'its link.key differs from the one in use; its invitation.key is missing'
    expect((await rehearse()).said).toContain(faults)
  })

  it('tries a copy of this list: no link, none of somebody else, nor from the future', async () => {
    const { rehearse, path, file, keep } = await rehearsed()
    symlinkSync('/dev/zero', path(copyOf('2026-02-01')))
    symlinkSync(file, path(copyOf('2026-02-02')))
    expect((await rehearse()).said).toContain(`${file}, of `)
    writeFileSync(path(copyOf('2026-02-03')), 'theirs')
    await keep('2099-01-01')
    expect((await rehearse()).said).toContain(`${file}, of `)
  })

  it('is a failure where the copies are gone', async () => {
    const { rehearse, file, store } = await rehearsed()
    rmSync(file)
    await expect(rehearse()).rejects.toThrow(/There is no copy in/)
    expect((await store.backups.record()).rehearsal?.fault).toBe('no copy is there')
  })
})
