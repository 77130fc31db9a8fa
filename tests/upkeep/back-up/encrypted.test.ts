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
import { Encrypter, generateX25519Identity, identityToRecipient, Stanza } from 'age-encryption'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Openers } from '../../../src/upkeep/back-up/age.ts'
import { openCopy } from '../../../src/upkeep/back-up/copy-file.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { person } from '../../store/contracts/people.ts'
import { copyOf, keptFolder } from './kept-folder.ts'
import { machines } from './machines.ts'

const day = '2026-01-05'
const name = `${copyOf(day)}.age`
const passphrase = 'four words are not enough'

async function pair() {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

const scratchOf = (dataDir: string) =>
  readdirSync(dataDir).filter((one) => /backup-(?!lock)/.test(one))

describe('an encrypted copy', () => {
  it('shows nobody who is on the list, is its owner’s alone, and leaves nothing unencrypted', async () => {
    const { keep, rehearse, names, path, dataDir } = await keptFolder()
    const { recipient } = await pair()
    expect((await keep(day, { lock: { recipients: [recipient] } })).code).toBe(0)
    expect(names()).toEqual([name])
    const bytes = readFileSync(path(name))
    expect(bytes.toString('latin1')).toMatch(/^age-encryption\.org\/v1\n-> X25519 /)
    for (const secret of [person(1).email, 'CREATE TABLE', readFileSync(join(dataDir, 'link.key'))])
      expect(bytes.includes(secret)).toBe(false)
    expect(statSync(path(name)).mode & 0o777).toBe(0o600)
    expect(statSync(join(dataDir, 'rehearsal.key')).mode & 0o777).toBe(0o600)
    expect(scratchOf(dataDir)).toEqual([])
    // The machine needs no identity of the operator's.
    expect((await rehearse()).said).toContain('3 people, all as they were')
  })

  it('with a passphrase is rehearsed with that, and found out without', {
    tags: 'long',
    timeout: 120_000,
  }, async () => {
    const { keep, rehearse } = await keptFolder()
    await keep(day, { lock: { passphrase } })
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
    const { keep, rehearse, path, store } = await keptFolder(2000)
    await keep(day, { lock: { recipients: [(await pair()).recipient] } })
    const whole = readFileSync(path(name))
    for (const damage of [
      (file: string) => flip(file, whole.length - 5000),
      (file: string) => flip(file, 40),
      (file: string) => truncateSync(file, whole.length - 20_000),
      (file: string) => truncateSync(file),
    ]) {
      writeFileSync(path(name), whole)
      damage(path(name))
      expect((await rehearse()).code, String(damage)).toBe(1)
      const { rehearsal } = await store.backups.record()
      expect(rehearsal?.fault, String(damage)).toMatch(/damaged|somebody else|no whole copy/)
    }
    writeFileSync(path(name), whole)
    expect((await rehearse()).code).toBe(0)
  })

  it('is believed where a passphrase opened it, and not where an identity did, which anybody may encrypt to', async () => {
    quickPassphrases()
    const { keep, path, dataDir } = await keptFolder()
    const [{ identity, recipient }, other] = [await pair(), await pair()]
    const [locked, phrased, others] = ['2026-01-05', '2026-01-06', '2026-01-07'] as const
    await keep(locked, { lock: { recipients: [recipient] } })
    await keep(phrased, { lock: { passphrase } })
    await keep(others, { lock: { recipients: [other.recipient] } })
    const file = (day: string) => path(`${copyOf(day)}.age`)
    const open = (day: string, openers: Openers) =>
      openCopy({ file: file(day), appId: 'test', openers, isTrusted: true }, tempDir())
    expect(await open(locked, { identities: [identity] })).toMatchObject({ seal: 'unknown' })
    const opened = await open(phrased, { identities: [], passphrase })
    expect(opened).toMatchObject({ seal: 'whole' })
    expect(readFileSync(opened.file).toString('latin1', 0, 15)).toBe('SQLite format 3')
    await expect(open(others, { identities: [identity] })).rejects.toThrow('whose identity')
    await expect(open(locked, { identities: ['AGE-SECRET-KEY-1SECRET'] })).rejects.toMatchObject({
      why: { code: 'no-identity' },
    })
    expect(scratchOf(dataDir)).toEqual([])
    // With a key that is not as it was made, no copy is made that the machine could not rehearse.
    const key = join(dataDir, 'rehearsal.key')
    for (const text of [`${readFileSync(key, 'utf8').trim()}${'A'.repeat(80)}`, '']) {
      writeFileSync(key, text)
      await expect(keep('2026-01-08', { lock: { recipients: [recipient] } })).rejects.toThrow(
        /is not as it was made: remove it/,
      )
    }
  })

  it('is none where the recipient is none, and then nothing is removed', async () => {
    const { keep, names, dataDir } = await keptFolder()
    await keep('2026-01-04')
    const { recipient } = await pair()
    const wrong = `${recipient.slice(0, -1)}${recipient.endsWith('q') ? 'p' : 'q'}`
    await expect(keep(day, { keep: '1,0,0', lock: { recipients: [wrong] } })).rejects.toThrow(
      /is no recipient of age/,
    )
    expect(names()).toEqual([copyOf('2026-01-04')])
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
  it('takes the file with the identity, and brings back list and keys', async () => {
    const { identity, recipient } = await pair()
    const { root, tool, copy } = await machines({ BACKUP_RECIPIENTS: recipient })
    expect((await tool('new', ['restore', copy])).stderr).toContain('whose identity is not given')
    // Before anything is asked for.
    expect((await tool('none', ['restore', copy])).stderr).toContain('there is no folder')
    writeFileSync(join(root, 'other.txt'), (await pair()).identity)
    expect(await tool('new', ['restore', copy, '--identity', 'other.txt'])).toMatchObject({
      code: 1,
      stderr: `${copy} cannot be decrypted: it is encrypted to a recipient whose identity is not given.\n`,
    })
    writeFileSync(join(root, 'not.txt'), 'AGE-SECRET-KEY-1SECRETSECRET')
    const broken = await tool('new', ['restore', copy, '--identity', 'not.txt'])
    expect([broken.code, broken.stderr]).toEqual([1, expect.not.stringContaining('SECRETSECRET')])
    // None of these left a key or a list that would be in the way.
    expect(readdirSync(join(root, 'new'))).toEqual(['subscribers.backup-lock'])

    writeFileSync(
      join(root, 'key.txt'),
      `# created: today\n# public key: ${recipient}\n${identity}\n`,
    )
    expect(
      (await tool('new', ['restore', copy, '--check', '--identity', 'key.txt'])).stderr,
    ).toContain('is readable: 2 people')
    const args = ['restore', copy, '--identity', 'key.txt']
    // Whoever has the recipient can encrypt to it.
    expect((await tool('new', args)).stderr).toContain('the key is not here')
    const BACKUP_SEAL_KEY = readFileSync(join(root, 'old/seal.key')).toString('base64')
    const restored = await tool('new', args, { BACKUP_SEAL_KEY })
    expect(restored.stderr).toContain('in use again: link.key.')
    expect(restored.stderr).toContain('2 brought back')
    expect(readFileSync(join(root, 'new/link.key'))).toEqual(
      readFileSync(join(root, 'old/link.key')),
    )
    expect(readdirSync(join(root, 'new')).filter((one) => /backup-(?!lock)/.test(one))).toEqual([])
  })

  it('does not believe what an identity opened, although a passphrase stands above it', {
    tags: 'long',
  }, async () => {
    const { identity, recipient } = await pair()
    const { root, tool } = await machines({ BACKUP_RECIPIENTS: recipient })
    expect((await tool('old', ['open', 'https://evil.example/'])).code).toBe(0)
    const plain = await tool('old', ['backup', '--to', 'plain', '--json'])
    const forged = new Encrypter()
    const above = new Stanza(['scrypt', 'A'.repeat(22), '10'], new Uint8Array(32))
    forged.addRecipient({ wrapFileKey: () => [above] })
    forged.addRecipient(recipient)
    const bytes = readFileSync(JSON.parse(plain.stdout).file)
    writeFileSync(join(root, 'forged.age'), await forged.encrypt(bytes))
    writeFileSync(join(root, 'key.txt'), identity)
    const args = ['restore', 'forged.age', '--identity', 'key.txt']
    expect((await tool('new', args)).stderr).toContain('forged.age is not restored.')
    expect(await tool('new', [...args, '--trust'])).toMatchObject({ code: 3 })
    expect((await tool('new', ['open'])).stdout).toBe('coming soon\n')
  })

  it('takes the passphrase of the settings', async () => {
    quickPassphrases()
    const { root, tool, copy } = await machines({ BACKUP_PASSPHRASE: passphrase })
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
  })
})

function flip(file: string, at: number) {
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.from([readFileSync(file).readUInt8(at) ^ 1]), 0, 1, at)
  closeSync(handle)
}
