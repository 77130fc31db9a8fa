import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import type { Told } from '../../../src/upkeep/report.ts'
import type { Look, Source } from '../../../src/upkeep/update/source.ts'
import {
  nextIn,
  readState,
  type UpdateState,
  workIn,
  writeState,
} from '../../../src/upkeep/update/state.ts'
import { holdUpdate, type UpdatePlace, update } from '../../../src/upkeep/update/update.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { worded } from '../worded.ts'

const newVersion: Look = {
  plan: { head: 'a', after: 'b' },
  from: 'origin/main',
  target: 'b',
  changes: ['b Better'],
  moreChanges: 0,
  edits: [],
  steps: { sqlite: ['18: More'], firestore: ['15: Other', '16: More'] },
  newPackages: false,
}

/** What the new version brings, as far as a first half looks at it: it notes how it is prepared. */
const files = {
  'src/operator/update-main.ts': '',
  'scripts/prepare.mjs': `
    import { writeFileSync } from 'node:fs'
    const { PUBLIC_URL, NODE_COMPILE_CACHE } = process.env
    writeFileSync('env.json', JSON.stringify({ PUBLIC_URL, NODE_COMPILE_CACHE }))`,
}

function write(root: string, path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** An installation with packages and a page, before a version that is new, or none. */
function installation(look: Look | null = newVersion, brought: object = files) {
  const root = tempDir()
  write(root, 'node_modules/a/index.js', '')
  write(root, 'dist/public/index.html', 'old')
  const told: [string, unknown][] = []
  const report = <Code extends keyof Told>(code: Code, data: Told[Code]) =>
    void told.push([code, data])
  const source: Source = {
    look: async () => look ?? undefined,
    async stage(_, folder) {
      expect(readdirSync(folder)).toEqual([])
      for (const [path, text] of Object.entries(brought)) write(folder, path, String(text))
    },
    isAsPlanned: async () => true,
    forth: async () => {},
    back: async () => {},
    words: () => ({ before: 'a', after: 'b' }),
  }
  const place: UpdatePlace = {
    root,
    source,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: '/somewhere' },
    isFirestore: false,
    builtFor: 'https://example.com',
    findService: async () => ({ kind: 'none' }),
    ask: undefined,
  }
  return {
    root,
    told,
    begin: (options: Parameters<typeof update>[0], more: Partial<UpdatePlace> = {}) =>
      worded(update(options, { ...place, ...more }, report)),
    /** What an update has left there, apart from its lock. */
    left: () => readdirSync(workIn(root)).filter((name) => !name.startsWith('lock')),
  }
}

it('says that nothing is new, and looks for no server then', async () => {
  const { begin, told, left } = installation(null)
  const findService = () => Promise.reject(new Error('looked'))
  expect(await begin({ yes: true }, { findService })).toBe('done')
  expect([told, left()]).toEqual([[['nothing-new', {}]], []])
})

it('shows the steps of the store that there is, and what runs the server', async () => {
  const { begin, told, left } = installation()
  const service = { kind: 'systemd' } as const
  expect(await begin({ check: true, yes: true }, { findService: async () => service })).toBe('done')
  expect(await begin({ check: true }, { isFirestore: true })).toBe('done')
  const { sqlite, firestore } = newVersion.steps
  expect(told).toEqual([
    ['plan', { look: newVersion, steps: sqlite, isFirestore: false, service }],
    ['plan', { look: newVersion, steps: firestore, isFirestore: true, service: { kind: 'none' } }],
  ])
  expect(left()).toEqual([])
  const broken = () => Promise.reject(new TypeError('no such property'))
  await expect(begin({ check: true }, { findService: broken })).rejects.toThrow(TypeError)
})

it('stages nothing after a no', async () => {
  const { begin, left } = installation()
  expect(await begin({}, { ask: async () => false })).toBe('done')
  expect(left()).toEqual([])
})

it('puts the new version beside the old one after a yes, with what it needs, and notes the plan', async () => {
  const { root, begin } = installation()
  const options = { readyWithin: 5 }
  expect(await begin(options, { ask: async () => true })).toBe('staged')
  const next = nextIn(root)
  expect(readState(root)).toEqual({
    phase: 'staged',
    plan: newVersion.plan,
    service: { kind: 'none' },
    folders: ['dist'],
    readyWithinMs: 5000,
    firestoreSteps: 2,
  })
  expect(JSON.parse(readFileSync(join(next, 'env.json'), 'utf8'))).toEqual({
    PUBLIC_URL: 'https://example.com',
  })
  expect(lstatSync(join(next, 'node_modules')).isSymbolicLink()).toBe(true)
  expect(readFileSync(join(next, 'dist/public/index.html'), 'utf8')).toBe('old')
  // What was only staged is begun anew, here with packages of its own.
  const other = installation({ ...newVersion, newPackages: true })
  write(other.root, '.update/next/left', '')
  const env = { PATH: process.env.PATH, PUBLIC_URL: ' https://other.example ' }
  expect(await other.begin({ yes: true }, { env, builtFor: null })).toBe('staged')
  const there = nextIn(other.root)
  expect(existsSync(join(there, 'node_modules'))).toBe(false)
  expect(existsSync(join(there, 'left'))).toBe(false)
  expect(JSON.parse(readFileSync(join(there, 'env.json'), 'utf8'))).toEqual({
    PUBLIC_URL: 'https://other.example',
  })
  expect(readState(other.root)).toMatchObject({ readyWithinMs: 0 })
})

it('leaves nothing of a version that is too old to be gone back from, or cannot be prepared', async () => {
  const old = installation(newVersion, { 'scripts/prepare.mjs': '' })
  await expect(old.begin({ yes: true })).rejects.toThrow('src/operator/update-main.ts')
  expect([old.left(), readState(old.root)]).toEqual([[], undefined])
  const broken = installation(newVersion, { ...files, 'scripts/prepare.mjs': 'process.exit(1)' })
  await expect(broken.begin({ yes: true })).rejects.toThrow('prepared')
  expect(broken.left()).toEqual([])
})

it('goes on with one that was interrupted half way, which a look only says, and is alone', async () => {
  const { root, begin, told } = installation()
  mkdirSync(workIn(root))
  const state = { phase: 'forth', plan: {}, service: { kind: 'none' } } as UpdateState
  writeState(root, state)
  expect(await begin({ check: true })).toBe('failed')
  expect(told).toEqual([['interrupted', {}]])
  expect(await begin({})).toBe('staged')
  expect(readState(root)).toEqual(state)
  const letGo = holdUpdate(root)
  await expect(begin({})).rejects.toThrow('Another update is under way here.')
  letGo()
  expect(await begin({})).toBe('staged')
})
