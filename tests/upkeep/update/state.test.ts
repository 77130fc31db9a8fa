import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import {
  endState,
  nextIn,
  readState,
  workIn,
  writeState,
} from '../../../src/upkeep/update/state.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const state = {
  plan: {},
  service: { kind: 'none' as const },
  folders: [],
  readyWithinMs: 0,
  firestoreSteps: 0,
  phase: 'forth',
} as const

it('is never ahead of the files that it speaks of, on disk, and is gone before they are', () => {
  const root = tempDir()
  mkdirSync(nextIn(root), { recursive: true })
  const [programs, noted] = [tempDir(), join(tempDir(), 'noted')]
  // In the place of the one that puts a file system's files on disk.
  writeFileSync(
    join(programs, 'sync'),
    `#!/bin/sh\n{ echo "$@"; grep phase '${workIn(root)}/state.json'; ls '${workIn(root)}'; } >>'${noted}'\n`,
    { mode: 0o755 },
  )
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('PATH', `${programs}:${process.env.PATH}`)
  writeState(root, state)
  writeState(root, { ...state, phase: 'check' })
  endState(root)
  expect(readFileSync(noted, 'utf8').replaceAll(/\n +/g, '\n')).toBe(
    [
      ...[`-f ${root}`, 'next'],
      ...[`-f ${root}`, '"phase": "forth"', 'next', 'state.json'],
      ...[`-f ${root}`, '"phase": "check"', 'next', 'state.json', ''],
    ].join('\n'),
  )
  expect(existsSync(nextIn(root))).toBe(false)
})

it('leaves nothing behind of a write that was killed', () => {
  const root = tempDir()
  mkdirSync(workIn(root))
  writeState(root, state)
  for (const name of ['state.json.part', 'state.json.0a1b2c3d.part'])
    writeFileSync(join(workIn(root), name), '{"phase":"ba')
  expect(readState(root)).toEqual(state)
  endState(root)
  expect(readState(root)).toBeUndefined()
  expect(readdirSync(workIn(root))).toEqual([])
})
