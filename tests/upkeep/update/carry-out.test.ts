/** @module-tag thorough */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Refused } from '../../../src/shared/refused.ts'
import { lookAtList, newestListVersion } from '../../../src/store/list-at-rest.ts'
import { carryOut } from '../../../src/upkeep/update/carry-out.ts'
import { apart } from '../../../src/upkeep/update/command.ts'
import { goBack } from '../../../src/upkeep/update/go-back.ts'
import type { Service } from '../../../src/upkeep/update/service.ts'
import type { Source } from '../../../src/upkeep/update/source.ts'
import {
  nextIn,
  readState,
  refuseOtherList,
  type UpdateState,
  workIn,
  writeState,
} from '../../../src/upkeep/update/state.ts'
import { update } from '../../../src/upkeep/update/update.ts'
import { homeOnFile } from '../../fixtures/home.ts'
import { worded } from '../worded.ts'
import { git } from './founder.ts'
import { withRepositories, write } from './repositories.ts'

const repositories = withRepositories()

// What `update.test.ts` and others show with whole installations, in the torture.

const notReady = { why: 'ended' } as const

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Ends with the test what `carryOut` changes for the rest of its process, which no signal ends any more. */
function asItWas() {
  const umask = process.umask()
  const before = signals.map((signal) => process.listeners(signal))
  onTestFinished(() => {
    process.umask(umask)
    for (const [i, signal] of signals.entries())
      for (const one of process.listeners(signal))
        if (!before[i]?.includes(one)) process.off(signal, one)
  })
}

/** An update to the version of this code, of a list that the version before it has left. */
async function underWay(phase: UpdateState['phase'], { isFirestore = false } = {}) {
  asItWas()
  const { folder: root, dataDir, store } = homeOnFile()
  await store.list.add('ada@example.com')
  await store.close()
  // Without it, one that lies in a folder above would count.
  write(nextIn(root), 'package.json', '{"type":"module"}')
  const done: string[] = []
  const did = (what: string) => {
    done.push(`${what}, list of ${lookAtList(dataDir)?.version}`)
  }
  const source: Source = {
    look: async () => undefined,
    stage: async () => {},
    isAsPlanned: async () => true,
    forth: async () => did('new code'),
    back: async () => did('old code'),
    words: () => ({ before: 'old', after: 'new' }),
  }
  const env = { PATH: process.env.PATH, PORT: '1' }
  const all = { root, source, env, isFirestore, dataDir }
  const state: UpdateState = {
    phase,
    plan: {},
    service: { kind: 'commands', stop: 'true', start: 'exit 1' },
    folders: [],
    listVersion: newestListVersion,
    readyWithinMs: 1,
    firestoreSteps: 1,
  }
  const told: string[] = []
  return { all, state, source, did, done, told, report: (code: string) => void told.push(code) }
}

/** A server that is never ready with the new code. */
const server = (
  { did, done }: Awaited<ReturnType<typeof underWay>>,
  stopping = () => {},
): Service => ({
  async stop() {
    stopping()
    did('stop')
  },
  async restart() {
    did('start')
    return done.some((one) => one.startsWith('new')) ? notReady : undefined
  },
})

it('goes back by itself where the new version is not ready, with everybody', async () => {
  const here = await underWay('check')
  const { all, state, report, told, done } = here
  expect(await carryOut(all, state, report)).toBe(false)
  expect(told).toEqual(['starting', 'not-ready', 'going-back', 'went-back'])
  expect(done).toEqual([`old code, list of ${newestListVersion}`])
  expect(lookAtList(all.dataDir)).toMatchObject({ version: newestListVersion, subscribers: 1 })
  expect(readState(all.root)).toBeUndefined()
})

it('touches nothing for a version that does not run', async () => {
  const { all, state, report, told, done } = await underWay('staged', { isFirestore: true })
  const stopped = join(all.root, 'stopped')
  write(nextIn(all.root), 'src/server/main.ts', `console.error('No.'); process.exit(1)`)
  const service = { kind: 'commands', stop: `touch '${stopped}'`, start: 'exit 1' } as const
  writeState(all.root, state)
  await expect(worded(carryOut(all, { ...state, service }, report))).rejects.toThrow('No.')
  expect([told, done, existsSync(stopped)]).toEqual([[], [], false])
  expect(readState(all.root)).toBeUndefined()
})

/** A new version that runs. */
const runs = `
  const { createServer } = await import('node:http')
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end())
  server.listen(0, '127.0.0.1', () =>
    console.log('The page is open at http://127.0.0.1:' + server.address().port))`

it('touches nothing where something was committed while the new version was tried', async () => {
  const { all, state, source, report, told, done } = await underWay('staged', { isFirestore: true })
  write(nextIn(all.root), 'src/server/main.ts', runs)
  writeState(all.root, state)
  source.isAsPlanned = async () => false
  expect(await carryOut(all, state, report)).toBe(false)
  expect([told.at(-1), done]).toEqual(['changed-meanwhile', []])
  expect(readState(all.root)).toBeUndefined()
})

it('stays over a step of Firestore, which has no way back', async () => {
  const { all, state, report, told, done } = await underWay('check', { isFirestore: true })
  expect(await carryOut(all, state, report)).toBe(false)
  expect(told.at(-1)).toBe('stays-in-firestore')
  expect(done).toEqual([])
})

it('has the new code again where the list is of the new version, or nothing can be stopped', async () => {
  const here = await underWay('back')
  const { all, state, report, told, done } = here
  const stuck = () => {
    throw new Error('Nothing stops it.')
  }
  const older = { ...state, listVersion: newestListVersion - 1 }
  await expect(goBack(all, older, server(here, stuck), report)).rejects.toThrow()
  await expect(worded(goBack(all, older, server(here), report))).rejects.toThrow(
    'which the version before does not read',
  )
  expect(done.map((one) => one.split(',')[0])).toEqual([
    ...['old code', 'new code', 'start'],
    ...['old code', 'stop', 'new code', 'start'],
  ])
  expect(told.at(-1)).toBe('list-stays-new')
})

it('has noted what it does before it does it, with its list, and outlives the terminal', async () => {
  const { all, state, source, report, told } = await underWay('staged', { isFirestore: true })
  write(nextIn(all.root), 'src/server/main.ts', runs)
  source.forth = async () => {
    // The time that it may take was known already.
    const noted = { phase: 'forth', list: 'Firestore', readyWithinMs: state.readyWithinMs }
    expect(readState(all.root)).toMatchObject(noted)
    expect(apart().detached).toBe(true)
    for (const signal of signals) process.kill(process.pid, signal)
    await expect.poll(() => told.filter((code) => code === 'being-finished')).toHaveLength(3)
    throw new Error('Killed here.')
  }
  await expect(carryOut(all, state, report)).rejects.toThrow('Killed here.')
  expect(readState(all.root)?.phase).toBe('forth')
})

it('goes on with no other list than it began with', async () => {
  const { state } = await underWay('forth')
  const begun = { ...state, list: '/data' }
  expect(() => refuseOtherList(begun, false, '/data')).not.toThrow()
  expect(() => refuseOtherList(begun, false, '/other')).toThrow()
  expect(() => refuseOtherList(begun, true, '/data')).toThrow()
})

it('goes forth again from where a kill left it, over a lock of git’s, and back, with what is not committed', async () => {
  const two = repositories()
  const own = ['product.config.ts', 'brand/ours.svg']
  for (const path of own) write(two.root, path, 'ours')
  const second = two.commit('second')
  const all = two.source()
  const { plan = {} } = (await all.look()) ?? {}
  const next = join(two.folder, 'next')
  await all.stage(plan, next)
  await all.forth(plan)
  expect(git(two.root, 'for-each-ref', 'refs/opening-bell/found')).toBe('')
  git(two.root, 'update-ref', 'refs/heads/main', two.first)
  write(two.root, '.git/index.lock', '')
  write(two.root, 'src/main.ts', 'sec')
  await all.forth(plan)
  expect(git(two.root, 'rev-parse', 'HEAD')).toBe(second)
  expect(git(two.root, 'status', '--porcelain', 'src')).toBe('')
  const found = git(two.root, 'log', '-1', '--format=%s', 'refs/opening-bell/found')
  expect(found).toBe('As an update found it')
  const ours = (root: string) => own.map((path) => readFileSync(join(root, path), 'utf8'))
  for (const root of [next, two.root]) expect(ours(root)).toEqual(['ours', 'ours'])
  await all.back(plan)
  expect(git(two.root, 'rev-parse', 'HEAD')).toBe(two.first)
  expect(readFileSync(join(two.root, 'src/main.ts'), 'utf8')).toBe('first')
  expect(ours(two.root)).toEqual(['ours', 'ours'])
})

it('stops before anything is changed where both changed one line or code is not committed, and knows new packages', async () => {
  const two = repositories()
  write(two.upstream, 'package-lock.json', '{}')
  const step = (version: number) => `export const it = { version: ${version}, why: 'More' }`
  for (const kind of ['sqlite', 'firestore'])
    write(
      two.upstream,
      `src/store/${kind === 'sqlite' ? kind : `${kind}/migrations`}/x.ts`,
      step(kind.length),
    )
  const second = two.commit('second')
  expect(await two.source().look()).toMatchObject({
    target: second,
    newPackages: true,
    changes: [expect.stringMatching(/^[0-9a-f]{4,} second$/)],
    steps: { sqlite: ['6: More'], firestore: ['9: More'] },
  })
  write(two.root, 'src/main.ts', 'edited')
  expect(await two.taken()).toContain('Changed and not committed: src/main.ts.')
  git(two.root, 'commit', '-qam', 'Ours')
  expect(await two.taken()).toContain('src/main.ts')
  expect(git(two.root, 'show', 'HEAD:src/main.ts')).toBe('edited')
})

it('asks before anything is staged, and lets the user of the server in, whatever the umask', async () => {
  const { all, source, report } = await underWay('staged')
  const work = workIn(all.root)
  rmSync(work, { recursive: true })
  mkdirSync(work, { mode: 0o700 })
  const plan = { plan: {}, from: '', target: '', changes: [], moreChanges: 0, edits: [] }
  source.look = async () => ({ ...plan, steps: { sqlite: [], firestore: [] }, newPackages: false })
  source.stage = async () => {
    throw new Error('Staged')
  }
  const place = { ...all, builtFor: undefined, ask: undefined }
  const findService = async () => ({ kind: 'none' }) as const
  const umask = process.umask(0o077)
  onTestFinished(() => void process.umask(umask))
  expect(await update({ check: true }, { ...place, findService }, report)).toBe('done')
  // A look needs no server that can be restarted from here.
  const runs = async () => {
    throw new Refused({ code: 'server-runs', url: 'http://127.0.0.1:3000' })
  }
  expect(await update({ check: true }, { ...place, findService: runs }, report)).toBe('done')
  await expect(worded(update({}, { ...place, findService: runs }, report))).rejects.toThrow(
    'A server runs at http://127.0.0.1:3000',
  )
  await expect(worded(update({}, { ...place, findService }, report))).rejects.toThrow('--yes')
  expect(statSync(work).mode & 0o777).toBe(0o755)
})
