import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { copiesLeftInWords } from '../../../src/cli/words/back-ups.ts'
import { backupState } from '../../../src/store/backup-state.ts'
import { checkCopy } from '../../../src/store/sqlite/copy.ts'
import { copiesLeft } from '../../../src/upkeep/back-up/copies-left.ts'
import { people, person } from '../../store/contracts/people.ts'
import { copyOf, keptFolder } from './kept-folder.ts'

const week = ['2026-01-05', '2026-01-06', '2026-01-07', '2026-01-08', '2026-01-09'] as const

describe('backup --keep', () => {
  it('makes a copy with the keys, for its owner only, and keeps the last ones', async () => {
    const { keep, names, path, dataDir } = await keptFolder()
    for (const day of week) expect((await keep(day)).code).toBe(0)
    expect(names()).toEqual(week.slice(-3).map(copyOf))
    const newest = path(copyOf(week[4]))
    expect(statSync(newest).mode & 0o777).toBe(0o600)
    const { keys, counts } = checkCopy(newest, 'test', false)
    expect(counts.subscribers).toBe(3)
    expect(Buffer.from(keys['link.key'] ?? [])).toEqual(readFileSync(join(dataDir, 'link.key')))
  })

  it('says in one line what it did, and as JSON what it keeps', async () => {
    const { keep, path } = await keptFolder()
    expect((await keep(week[0])).said).toBe(
      `3 people copied to ${path(copyOf(week[0]))}, and read back. 1 copy kept, 0 removed.`,
    )
    const { result } = await keep(week[1], { json: true, keep: '1,0,0' })
    expect(JSON.parse(result)).toEqual({
      subscribers: 3,
      announcements: 0,
      file: path(copyOf(week[1])),
      kept: 1,
      removed: 1,
    })
  })

  it('never removes what it did not make: another file, another list, a link, a changed copy', async () => {
    const { keep, names, path, root } = await keptFolder()
    await keep(week[0])
    await keep(week[1])
    // Somebody's own, with the very name of one of ours, and each older than all.
    const others = ['letter.md', copyOf('2020-01-01'), copyOf('2020-01-02'), 'other.2020.sqlite']
    writeFileSync(join(root, 'precious'), 'precious')
    for (const name of others)
      if (name === copyOf('2020-01-02')) symlinkSync(join(root, 'precious'), path(name))
      else writeFileSync(path(name), 'theirs')
    writeFileSync(path(copyOf(week[0])), 'theirs now')
    renameSync(path(copyOf(week[1])), path('moved'))
    symlinkSync(path('moved'), path(copyOf(week[1])))
    await keep(week[4], { keep: '1,0,0' })
    expect(names()).toEqual(
      [...others, copyOf(week[0]), copyOf(week[1]), copyOf(week[4]), 'moved'].toSorted(),
    )
    expect(readFileSync(join(root, 'precious'), 'utf8')).toBe('precious')
  })

  it('removes nothing when the new copy fails, and leaves nothing of it', async () => {
    const { keep, names, store } = await keptFolder()
    for (const day of week.slice(0, 3)) await keep(day)
    const before = names()
    // The last step before the name: as when the disk with the list is full.
    const { change } = store.backups
    Object.assign(store.backups, { change: () => Promise.reject(new Error('no')) })
    await expect(keep(week[3], { keep: '1,0,0' })).rejects.toThrow('no')
    expect(names()).toEqual(before)
    Object.assign(store.backups, { change })
    await keep(week[4], { keep: '1,0,0' })
    expect(names()).toEqual([copyOf(week[4])])
  })

  it('leaves copies from the future alone, and keeps the new one beside them', async () => {
    const { keep, names } = await keptFolder()
    for (const day of ['2099-01-01', '2099-01-02', ...week]) await keep(day, { keep: '2,0,0' })
    expect(names()).toEqual([...week.slice(-2), '2099-01-01', '2099-01-02'].map(copyOf))
  })

  it('makes the folder of the first copy, for its owner alone, and not again: its disk is away then', async () => {
    const { keep, root } = await keptFolder()
    const to = join(root, 'elsewhere')
    await keep(week[0], { to })
    expect(readdirSync(to)).toEqual([copyOf(week[0])])
    expect(statSync(to).mode & 0o777).toBe(0o700)
    renameSync(to, join(root, 'away'))
    await expect(keep(week[1], { to })).rejects.toThrow(/mkdir -m 700/)
    expect(existsSync(to)).toBe(false)
  })

  it('takes no folder in which others may look, nor beneath one that is not there, nor the list’s own', async () => {
    const { keep, to, dataDir, root } = await keptFolder()
    await expect(keep(week[0], { to: join(root, 'none/below') })).rejects.toThrow(/mkdir -m 700/)
    await expect(keep(week[0], { to: dataDir })).rejects.toThrow(
      `${dataDir}: is in ${dataDir}; copies need a place of their own`,
    )
    const file = join(root, 'file')
    writeFileSync(file, '')
    await expect(keep(week[0], { to: file })).rejects.toThrow(/is no folder/)
    await expect(keep(week[0], { served: [root] })).rejects.toThrow(/a place of their own/)
    const link = join(root, 'link')
    symlinkSync(dataDir, link)
    await expect(keep(week[0], { to: link })).rejects.toThrow(/a place of their own/)
    chmodSync(to, 0o750)
    await expect(keep(week[0])).rejects.toThrow(/chmod go-rwx/)
  })

  it('removes the scratch folder of a killed run, and nothing that somebody put beside the list', async () => {
    const { keep, rehearse, dataDir, root } = await keptFolder()
    const alike = ['0a1b2c3d.part.theirs', '0a1b2c3d4e5f6a7b.friday']
    const own = ['before-launch.sqlite', 'mine', 'friday', 'launch.part', ...alike].map((end) =>
      join(dataDir, `subscribers.backup-${end}`),
    )
    for (const path of own)
      if (/mine|friday/.test(path)) mkdirSync(path)
      else writeFileSync(path, 'theirs')
    // Not even with a name as ours, if it is of another kind.
    const link = join(dataDir, 'subscribers.backup-0a1b2c3d4e5f6a7b')
    symlinkSync(root, link)
    const scratch = join(dataDir, 'subscribers.backup-0a1b2c3d4e5f6a7c')
    mkdirSync(scratch)
    writeFileSync(join(scratch, 'copy.sqlite'), '')
    expect((await keep(week[0])).code).toBe(0)
    expect((await rehearse()).code).toBe(0)
    expect([...own, link, scratch].filter((path) => !existsSync(path))).toEqual([scratch])
  })

  it('says so when all copies are gone at once, and knows them when they are back', async () => {
    const { keep, names, store, to } = await keptFolder()
    for (const day of week.slice(0, 3)) await keep(day)
    // The disk is not mounted: an empty folder is in its place.
    renameSync(to, `${to}-unmounted`)
    mkdirSync(to, { mode: 0o700 })
    const { code, said } = await keep(week[3])
    expect(code).toBe(3)
    expect(said).toContain('none of the 3 copies from before is there. Is the disk mounted?')
    const now = new Date(`${week[3]}T12:00:00Z`)
    const { rehearsal } = await backupState(store.backups, now)
    expect(rehearsal?.fault).toContain('none of the 3 copies from before is there')
    // That of last night is there.
    expect((await keep(week[4], { keep: '9,0,0' })).code).toBe(0)
    for (const name of names()) renameSync(join(to, name), join(`${to}-unmounted`, name))
    rmSync(to, { recursive: true })
    renameSync(`${to}-unmounted`, to)
    expect((await keep('2026-01-10')).said).toContain('3 copies kept, 3 removed')
    expect(names()).toEqual([week[3], week[4], '2026-01-10'].map(copyOf))
  })
})

describe('what is left of somebody who is forgotten', () => {
  it('is told with the day when the last copy goes, and stops with the copies', {
    tags: 'thorough',
  }, async () => {
    const { keep, store, to, path, dataDir } = await keptFolder()
    for (const day of week) await keep(day)
    await store.standings.forget(person(1).email)
    const now = new Date(`${week[4]}T12:00:00Z`)
    writeFileSync(join(dataDir, 'subscribers.before-restore-x.sqlite'), '')
    const left = await copiesLeft(store.backups, dataDir, undefined, now)
    expect(copiesLeftInWords(left, 'the address')[0]).toMatch(
      /^subscribers\.before-restore-x\.sqlite/,
    )
    const cleanOn = new Date('2026-01-12T12:00:00Z')
    expect(left.folders).toEqual([{ folder: to, copies: 3, cleanOn, others: 0, missing: 0 }])
    // As it then comes to be.
    for (const day of ['2026-01-10', '2026-01-11', '2026-01-12']) {
      const holders = await holding(person(1).email)
      expect(holders.length, day).toBeGreaterThan(0)
      await keep(day)
    }
    expect(await holding(person(1).email)).toEqual([])

    async function holding(email: string) {
      return readdirSync(to).filter((name) => readFileSync(path(name)).includes(email))
    }
  })

  it('knows the copies of a folder that is away, and those that somebody removed', async () => {
    const { keep, store, to, path, dataDir } = await keptFolder()
    await store.list.importAll(people(4))
    for (const day of week) await keep(day)
    const now = new Date(`${week[4]}T12:00:00Z`)
    rmSync(path(copyOf(week[2])))
    expect((await copiesLeft(store.backups, dataDir, undefined, now)).folders).toMatchObject([
      { copies: 2, missing: 1 },
    ])
    renameSync(to, `${to}-unmounted`)
    expect((await copiesLeft(store.backups, dataDir, undefined, now)).folders).toMatchObject([
      { copies: 3 },
    ])
    renameSync(`${to}-unmounted`, to)
    for (const name of readdirSync(to)) rmSync(path(name))
    // Where no copy is left, none goes on a day.
    const [left] = (await copiesLeft(store.backups, dataDir, undefined, now)).folders
    expect(left).toEqual({ folder: realpathSync(to), copies: 0, others: 0, missing: 3 })
  })
})
