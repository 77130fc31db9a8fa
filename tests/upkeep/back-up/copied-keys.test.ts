import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { keysOf, putKeys } from '../../../src/upkeep/back-up/copied-keys.ts'
import { alone } from '../../../src/upkeep/back-up/scratch.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const bytes = (name: string) => Buffer.from(name.padEnd(32, '.'))

function folderWith(...names: string[]) {
  const folder = tempDir()
  for (const name of names) writeFileSync(join(folder, name), bytes(name))
  return folder
}

it('the keys of a folder are its two files, and nothing that is only called so', () => {
  const folder = folderWith('link.key', 'seal.key', 'rehearsal.key')
  mkdirSync(join(folder, 'invitation.key'))
  expect(keysOf(folder)).toEqual({ 'link.key': bytes('link.key') })
})

it('keys are put where there are none, for their owner alone, and never replaced', () => {
  const folder = folderWith('invitation.key')
  const copied = {
    'link.key': bytes('link of the copy'),
    'invitation.key': bytes('invitation of it'),
  }
  const scratch = tempDir()
  expect(putKeys(folder, copied, scratch)).toEqual(['link.key'])
  expect(putKeys(folder, { 'link.key': bytes('another') }, scratch)).toEqual([])
  expect(readdirSync(folder).toSorted()).toEqual(['invitation.key', 'link.key'])
  expect(readFileSync(join(folder, 'link.key'))).toEqual(copied['link.key'])
  expect(statSync(join(folder, 'link.key')).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(folder, 'invitation.key'))).toEqual(bytes('invitation.key'))
})

it('what needs a folder to itself gets one in the folder of the list, which is made, and leaves nothing', async () => {
  const dataDir = join(tempDir(), 'a/b')
  let seen = ''
  const work = alone(dataDir, async (scratch) => {
    seen = scratch
    writeFileSync(join(scratch, 'copy.sqlite'), '')
    return statSync(scratch).mode & 0o777
  })
  expect(await work).toBe(0o700)
  expect(seen).toMatch(/\/a\/b\/subscribers\.backup-[0-9a-f]{16}$/)
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  expect(readdirSync(dataDir)).toEqual(['subscribers.backup-lock'])
  const failing = alone(dataDir, async (scratch) => {
    seen = scratch
    throw new Error('a fault')
  })
  await expect(failing).rejects.toThrow('a fault')
  expect(existsSync(seen)).toBe(false)
  // The next one need not wait.
  expect(await alone(dataDir, async () => 1)).toBe(1)
})
