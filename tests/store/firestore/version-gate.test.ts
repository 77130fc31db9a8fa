/** @module-tag thorough */
import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { VersionTimes } from '../../../src/store/firestore/bring-up.ts'
import { firestoreConnection } from '../../../src/store/firestore/connection.ts'
import { firestoreMigrations } from '../../../src/store/firestore/migrations/all.ts'
import type { FirestoreMigration } from '../../../src/store/firestore/migrations/migration.ts'
import { firestorePaths } from '../../../src/store/firestore/paths.ts'
import { withVersion } from '../../../src/store/firestore/version-gate.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'
import { withFirestoreEmulator } from '../../emulators/with-emulators.ts'
import { newProject, openFirestore } from '../every-store.ts'

const appId = 'test'
const quick: VersionTimes = { believedMs: 300, leaseMs: 5000 }
const newest = firestoreMigrations.length

it('numbers its steps from one on', () => {
  expect(firestoreMigrations.map(({ version }) => version)).toEqual(
    firestoreMigrations.map((_, i) => i + 1),
  )
})

describe('what is kept in Firestore', { timeout: 120_000 }, () => {
  const emulator = withFirestoreEmulator()

  /** A program that knows some steps; all of a project see the same documents. */
  function program(projectId: string, migrations = firestoreMigrations, times = quick) {
    process.env.FIRESTORE_EMULATOR_HOST = new URL(emulator().origin).host
    const bare = firestoreConnection(projectId, () => {})
    onTestFinished(() => bare.close())
    const paths = firestorePaths(bare.db, appId)
    const logged: string[] = []
    const log = (message: string) => void logged.push(message)
    const connection = withVersion(bare, paths, log, migrations, times)
    const mark = bare.db.doc(`artifacts/${appId}/state/mark`)
    return {
      write: (by: string) => connection.use(() => mark.set({ by })),
      mark: async () => (await mark.get()).get('by'),
      version: async () => (await paths.version.get()).data(),
      paths,
      logged,
    }
  }

  /** One step more than there is. */
  const andThen = (up: FirestoreMigration['up']): FirestoreMigration[] => [
    ...firestoreMigrations,
    { version: newest + 1, why: 'For this test.', up },
  ]

  it('is of the newest version as soon as it is used, and says so', async () => {
    const { write, version } = program(`demo-${randomUUID()}`)
    await write('me')
    expect(await version()).toEqual({ version: newest })
  })

  it('is where it was empty what the tests of a store begin with', async () => {
    const first = program(`demo-${randomUUID()}`)
    await first.write('me')
    const next = program(await newProject(emulator().origin, { appId }))
    const all = async ({ paths }: typeof first) => {
      const collections = await paths.version.firestore.doc(`artifacts/${appId}`).listCollections()
      const found = await Promise.all(collections.map((collection) => collection.get()))
      return found.flatMap(({ docs }) => docs.map((row) => [row.ref.path, row.data()]))
    }
    const written = [`artifacts/${appId}/state/mark`, { by: 'me' }]
    expect(await all(first)).toEqual([written, ...(await all(next))])
  })

  it('is brought up once, though many programs find it old', async () => {
    const projectId = `demo-${randomUUID()}`
    await program(projectId).write('old')
    let times = 0
    const up = async () => {
      times += 1
    }
    const programs = [1, 2, 3].map(() => program(projectId, andThen(up)))
    // It waits until all that the older ones began is over; who asks meanwhile is told.
    const answers = await Promise.allSettled(programs.map(({ write }) => write('new')))
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) })
    const told = answers.map((answer) => answer.status === 'rejected' && answer.reason.message)
    expect(told).toContain(`The data in Firestore is being updated to version ${newest + 1}.`)
    for (const { write } of programs)
      await expect
        .poll(() => write('new').then(() => 'done', String), { timeout: 40_000 })
        .toBe('done')
    expect(times).toBe(1)
  })

  it('is brought up at once by whoever began with it, though the answer was lost to that', async () => {
    // So long that nobody else would be waited for.
    const { paths, write, mark, version } = program(`demo-${randomUUID()}`, firestoreMigrations, {
      believedMs: 300,
      leaseMs: 600_000,
    })
    const db = paths.version.firestore
    const runTransaction = db.runTransaction.bind(db)
    const losing = vi.spyOn(db, 'runTransaction').mockImplementationOnce(async (work) => {
      await runTransaction(work)
      throw Object.assign(new Error('DEADLINE_EXCEEDED'), { code: 4 })
    })
    onTestFinished(() => losing.mockRestore())
    await expect(write('nobody')).rejects.toThrow(StoreUnavailable)
    expect(await version()).toMatchObject({ version: 1, target: newest })
    write('me').catch(() => {})
    await expect.poll(mark).toBe('me')
    expect(await version()).toEqual({ version: newest })
  })

  it('is not written to by an older program once a newer one has begun, and it is told so in a line', async () => {
    const projectId = `demo-${randomUUID()}`
    const older = program(projectId)
    await older.write('older')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const newer = program(
      projectId,
      andThen(() => held),
    )
    newer.write('newer').catch(() => {})
    await expect.poll(async () => (await older.version())?.target).toBe(newest + 1)
    const told = `holds version ${newest + 1}, and this program knows versions up to ${newest}`
    await expect.poll(() => older.write('late').catch(String)).toContain(told)
    await older.paths.version.firestore.doc(`artifacts/${appId}/state/mark`).set({ by: 'nobody' })
    await expect(older.write('late')).rejects.toThrow(told)
    expect(await older.mark()).toBe('nobody')
    expect(older.logged).toEqual([expect.stringContaining(told)])
    release()
    const store = openFirestore(emulator().origin, projectId, { appId })
    onTestFinished(() => store.close())
    await expect(store.list.add('visitor@example.com')).rejects.toThrow(told)
    expect(await newer.mark()).toBe('nobody')
  })

  it('is brought up to the end by another program when one dies at any step', async () => {
    const projectId = `demo-${randomUUID()}`
    const done: string[] = []
    const steps = (dies: boolean): FirestoreMigration[] => [
      ...andThen(async () => void done.push('third')),
      {
        version: newest + 2,
        why: 'For this test.',
        up: async () => {
          if (dies) throw new Error('it was killed')
          done.push('fourth')
        },
      },
    ]
    await expect(program(projectId, steps(true)).write('dies')).rejects.toThrow('it was killed')
    const next = program(projectId, steps(false))
    await expect
      .poll(() => next.write('next').then(() => 'done', String), { timeout: 40_000 })
      .toBe('done')
    // What was done stays done.
    expect(done).toEqual(['third', 'fourth'])
    expect(await next.version()).toEqual({ version: newest + 2 })
  })
})
