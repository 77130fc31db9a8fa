/** @module-tag thorough */
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { Encrypter } from 'age-encryption'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openCopy } from '../../../src/upkeep/back-up/copy-file.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { person } from '../../store/contracts/people.ts'
import { copyOf, keptFolder } from './kept-folder.ts'
import { machines } from './machines.ts'

const day = '2026-01-05'
const name = `${copyOf(day)}.age`
const passphrase = 'four words are not enough'

const scratchOf = (dataDir: string) =>
  readdirSync(dataDir).filter((one) => /backup-(?!lock)/.test(one))

describe('an encrypted copy', () => {
  it('shows nobody who is on the list, is its owner’s alone, and leaves nothing unencrypted', async () => {
    quickPassphrases()
    const { keep, rehearse, names, path, dataDir } = await keptFolder()
    expect((await keep(day, { passphrase })).code).toBe(0)
    expect(names()).toEqual([name])
    const bytes = readFileSync(path(name))
    expect(bytes.toString('latin1')).toMatch(/^age-encryption\.org\/v1\n-> scrypt /)
    for (const secret of [person(1).email, 'CREATE TABLE', readFileSync(join(dataDir, 'link.key'))])
      expect(bytes.includes(secret)).toBe(false)
    expect(statSync(path(name)).mode & 0o777).toBe(0o600)
    expect(scratchOf(dataDir)).toEqual([])
    expect((await rehearse(passphrase)).said).toContain('3 people, all as they were')
  })

  it('is rehearsed with its passphrase as it is, and found out without', {
    tags: 'long',
    timeout: 120_000,
  }, async () => {
    const { keep, rehearse } = await keptFolder()
    await keep(day, { passphrase })
    expect((await rehearse(passphrase)).code).toBe(0)
    const without = await rehearse()
    expect([without.code, without.said]).toEqual([
      1,
      expect.stringContaining(
        'it is encrypted with a passphrase, and none is given (BACKUP_PASSPHRASE)',
      ),
    ])
  })

  it('is found damaged by a changed byte, a changed header, a lost end, and nothing in it', async () => {
    quickPassphrases()
    const { keep, rehearse, path, store } = await keptFolder(2000)
    await keep(day, { passphrase })
    const whole = readFileSync(path(name))
    for (const damage of [
      (file: string) => flip(file, whole.length - 5000),
      (file: string) => flip(file, 40),
      (file: string) => truncateSync(file, whole.length - 20_000),
      (file: string) => truncateSync(file),
    ]) {
      writeFileSync(path(name), whole)
      damage(path(name))
      expect((await rehearse(passphrase)).code, String(damage)).toBe(1)
      const { rehearsal } = await store.backups.record()
      expect(rehearsal?.fault, String(damage)).toMatch(/damaged|is wrong|no whole copy/)
    }
    writeFileSync(path(name), whole)
    expect((await rehearse(passphrase)).code).toBe(0)
  })

  it('is believed where its passphrase opened it', async () => {
    quickPassphrases()
    const { keep, path, dataDir } = await keptFolder()
    await keep(day, { passphrase })
    const open = (passphrase: string) =>
      openCopy({ file: path(name), appId: 'test', passphrase, isTrusted: true }, tempDir())
    const opened = await open(passphrase)
    expect(opened).toMatchObject({ seal: 'whole' })
    expect(readFileSync(opened.file).toString('latin1', 0, 15)).toBe('SQLite format 3')
    await expect(open('another passphrase')).rejects.toThrow('the passphrase is wrong')
    expect(scratchOf(dataDir)).toEqual([])
  })
})

/** Makes it quick to try a passphrase, which takes seconds on purpose; all else is as it is. */
function quickPassphrases() {
  const { setPassphrase } = Encrypter.prototype
  const spy = vi.spyOn(Encrypter.prototype, 'setPassphrase')
  spy.mockImplementation(function (this: Encrypter, given) {
    setPassphrase.call(this, given)
    this.setScryptWorkFactor(10)
  })
  onTestFinished(() => spy.mockRestore())
}

describe('restore of an encrypted copy', { timeout: 120_000 }, () => {
  it('takes the passphrase of the settings', async () => {
    quickPassphrases()
    const { root, tool, copy } = await machines({ BACKUP_PASSPHRASE: passphrase })
    // Before anything is asked for.
    expect((await tool('none', ['restore', copy])).stderr).toContain('there is no folder')
    const none = await tool('new', ['restore', copy])
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringContaining('and none is given (BACKUP_PASSPHRASE)'),
    ])
    const wrong = await tool('new', ['restore', copy], { BACKUP_PASSPHRASE: 'another passphrase' })
    expect(wrong.stderr).toContain('the passphrase is wrong')
    expect(readdirSync(join(root, 'new'))).toEqual(['subscribers.backup-lock'])
    const right = await tool('new', ['restore', copy], { BACKUP_PASSPHRASE: passphrase })
    expect(right.stderr).toContain('2 brought back')
    expect(right.stderr).toContain('in use again: link.key.')
    expect(readFileSync(join(root, 'new/link.key'))).toEqual(
      readFileSync(join(root, 'old/link.key')),
    )
  })
})

function flip(file: string, at: number) {
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.from([readFileSync(file).readUInt8(at) ^ 1]), 0, 1, at)
  closeSync(handle)
}
