import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeTestFolder } from '../../scripts/checks/test-folder.ts'

test.each([
  ['in memory, where there is room', undefined],
  ['on the disk, where there is no memory for it', '/proc'],
  ['on the disk, on a machine without such a folder', '/not-there'],
])(
  'what tests keep is in an empty folder that any user may use and run programs from: %s',
  (_where, place) => {
    const folder = makeTestFolder(place)
    onTestFinished(() => rmSync(folder, { recursive: true }))
    expect(readdirSync(folder)).toEqual([])
    expect(statSync(folder).mode & 0o1777).toBe(0o1777)
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\nexit 7\n', { mode: 0o755 })
    expect(spawnSync(program).status).toBe(7)
  },
)
