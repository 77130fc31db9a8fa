/** @module-tag thorough */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import product from '../../../product.config.ts'
import { invitationCodes } from '../../../src/keys/invitation-codes.ts'
import { launchPad } from '../../fixtures/launch-pad.ts'
import { operator } from '../../fixtures/operator.ts'
import { ended } from '../../fixtures/run.ts'
import { person } from '../../store/contracts/people.ts'

const main = join(import.meta.dirname, '../../../src/cli/main.ts')
const letter = `---
subject: Your place is ready
from: The team <team@example.org>
invitation-valid: 14 days
---
[Come in](https://app.example.com/join?code={{invitation}})
`

async function invitingPad(count: number, options: Parameters<typeof launchPad>[1] = {}) {
  const pad = await launchPad(count, options)
  writeFileSync(pad.launch, letter)
  const env = {
    DATA_DIR: pad.dataDir,
    LINK_KEY: '',
    STORE: 'sqlite',
    NO_COLOR: '1',
  }
  /** The command `invitations`, with something on its standard input. */
  const invitations = (args: string[], input = '') =>
    operator(['invitations', ...args], { env, input })
  /** Makes a new key while an announcement of this process is under way. */
  const newKey = () =>
    execFileSync(process.execPath, [main, 'invitations', '--new-key'], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    }).trim()
  const codeTo = async (email: string) => {
    const { text = '' } = await pad.relay.messageTo(email)
    return /join\?code=(\S+?)\]?$/m.exec(text)?.[1] ?? ''
  }
  return { ...pad, invitations, newKey, codeTo }
}

describe('a letter with invitations, by the tool as it is called', () => {
  it('goes from dry run and test over stages to a product that lets each in once', async () => {
    const pad = await invitingPad(5)
    const dry = await pad.announce('--dry-run')
    expect(dry.code).toBe(0)
    expect(dry.stderr).toMatch(
      /Invitation .*valid for 14 days, from now until \d{4}-\d\d-\d\d \d\d:\d\d UTC; its key is made .* invitations --public-key, which/,
    )
    expect(existsSync(join(pad.dataDir, 'invitation.key'))).toBe(false)
    const made = await pad.invitations(['--public-key'])
    const key = invitationCodes(
      readFileSync(join(pad.dataDir, 'invitation.key')),
      product.appId,
    ).publicKey
    expect(made).toMatchObject({ code: 0, stdout: `${key}\n` })
    expect((await pad.announce('--dry-run')).stderr).toContain(
      `your product verifies it with the public key ${key}`,
    )

    await pad.announce('--to', 'me@example.com')
    const test = await pad.codeTo('me@example.com')
    expect(test).toMatch(/^test-[\w-]{122}$/)
    expect(await pad.invitations(['--redeem', 'me@example.com', '--json'], test)).toMatchObject({
      code: 3,
      stdout: '{"redeemed":false,"why":"test"}\n',
    })
    expect((await pad.invitations([])).stderr).toContain('No invitations.')

    const first = await pad.announce('--first', '2')
    const rest = await pad.announce()
    expect(rest.stdout).toContain('The balance holds: 5 = 5 sent\n')
    const code = await pad.codeTo(person(1).email)
    expect(code).toMatch(/^[\w-]{122}$/)
    expect(await pad.invitations(['--redeem', person(2).email], code)).toMatchObject({
      code: 3,
      stdout: '',
      stderr: 'Refused: this code is no invitation for this address.\n',
    })
    expect(await pad.invitations(['--redeem', person(1).email], code)).toMatchObject({
      code: 0,
      stdout: 'Redeemed.\n',
    })
    expect((await pad.invitations(['--revoke', person(3).email])).code).toBe(0)
    expect((await pad.invitations(['launch'])).stderr).toContain(
      '5 invitations: 3 open, 1 redeemed, 1 revoked.',
    )
    // No code stands in anything that was printed, where a log would have it.
    for (const { stdout, stderr } of [dry, first, rest])
      expect(stdout + stderr).not.toContain(code.slice(0, 28))
    const forgotten = await pad.run(['forget', person(1).email])
    expect(forgotten.code).toBe(0)
    expect((await pad.invitations(['--json'])).stdout).not.toContain(person(1).email)
  })

  it('mails the same code again after a kill', { tags: 'long' }, async () => {
    const killed = Promise.withResolvers<void>()
    let isKilled = false
    const pad = await invitingPad(6, {
      behaviour: (to) => {
        if (isKilled || to !== person(4).email) return 'accept'
        killed.resolve()
        return 'stall-after-dot'
      },
    })
    const run = pad.startAnnounce()
    await killed.promise
    // Its message is on the way, and nobody will ever know whether it arrived.
    const listed = async () =>
      JSON.stringify(
        (await pad.invitations(['--json'])).stdout.trim().split('\n').toSorted().slice(0, 9),
      )
    await expect.poll(() => listed()).toContain(person(4).email)
    run.signalGroup('SIGKILL')
    await ended(run)
    isKilled = true
    const noted = await listed()
    await pad.announce()
    const codes = new Map<string, string>()
    for (const { to } of pad.relay.accepted) codes.set(to, await pad.codeTo(to))
    await pad.announce('--retry', 'uncertain')
    for (const [to, code] of codes) expect(await pad.codeTo(to)).toBe(code)
    const theirs = await pad.codeTo(person(4).email)
    const key = readFileSync(join(pad.dataDir, 'invitation.key'))
    const signed = invitationCodes(key, product.appId).read(theirs, person(4).email)
    expect(noted).toContain(`\\"id\\":\\"${signed?.id}\\"`)
    expect(noted).toContain(`\\"expiresAt\\":\\"${signed?.expiresAt.toISOString()}\\"`)
  })

  it('stops at a new key in its midst, and goes on with it', { tags: 'long' }, async () => {
    let newKey = ''
    const pad = await invitingPad(3, {
      behaviour: () => {
        if (newKey) return 'accept'
        renameSync(join(pad.dataDir, 'invitation.key'), join(pad.dataDir, 'old.key'))
        newKey = pad.newKey()
        return 'accept'
      },
    })
    const slowly = ['--rate', '1']
    const stopped = await pad.announce(...slowly)
    expect(stopped.code).toBe(1)
    expect(stopped.stderr).toMatch(
      /\nStopped: invitations got a new key after this began, .* goes on with the new key\.\n$/,
    )
    expect(pad.inboxes()).toHaveLength(1)
    expect(await pad.store.ledger.tally('launch')).toMatchObject({ sent: 1, queued: 2, untried: 2 })
    expect((await pad.announce(...slowly)).code).toBe(0)
    expect(pad.inboxes().toSorted()).toEqual([1, 2, 3].map((n) => person(n).email).toSorted())
    const codes = invitationCodes(readFileSync(join(pad.dataDir, 'invitation.key')), product.appId)
    expect(codes.publicKey).toBe(newKey)
    for (const to of pad.inboxes().slice(1))
      expect(codes.read(await pad.codeTo(to), to)).toBeDefined()
  })

  it('sends nothing without its key, and nothing with a code in a wrong place', async () => {
    const pad = await invitingPad(2)
    expect((await pad.invitations(['--public-key'])).code).toBe(0)
    renameSync(join(pad.dataDir, 'invitation.key'), join(pad.dataDir, 'away.key'))
    for (const args of [
      ['--force', 'invitation-key'],
      ['--to', 'me@example.com'],
    ]) {
      const end = await pad.announce(...args)
      expect(end.code).toBe(1)
      expect(end.stderr).toMatch(/invitation\.key, which signs invitations, is not in/)
    }
    expect(pad.relay.accepted).toEqual([])
    renameSync(join(pad.dataDir, 'away.key'), join(pad.dataDir, 'invitation.key'))
    writeFileSync(pad.launch, letter.replace('https://app', 'http://app'))
    const open = await pad.announce()
    expect(open.code).toBe(1)
    expect(open.stderr).toMatch(/PROBLEM.*would carry the code in the open; write https/)
    expect(pad.relay.accepted).toEqual([])
  })

  it('is called wrongly with a clear word', async () => {
    const pad = await invitingPad(0)
    const { code: both } = await pad.invitations([
      '--redeem',
      'a@example.com',
      '--revoke',
      'b@example.com',
    ])
    expect(both).toBe(2)
    expect((await pad.invitations(['launch', '--public-key'])).stderr).toContain(
      'An announcement is named',
    )
    expect(await pad.invitations(['--redeem', 'a@example.com'], 'x'.repeat(5000))).toMatchObject({
      code: 1,
      stderr: 'That is longer than any code.\n',
    })
  })
})
