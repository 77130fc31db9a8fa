/** @module-tag thorough */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import product from '../../../product.config.ts'
import { launchPad } from '../../fixtures/launch-pad.ts'
import { operator } from '../../fixtures/operator.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { person } from '../../store/contracts/people.ts'

const root = join(import.meta.dirname, '../../..')
const PUBLIC_URL = 'https://example.com'
const letter = `---
subject: Your place is ready
from: The team <team@example.org>
invitation-valid: 14 days
---
[Come in](https://app.example.com/join?code={{invitation}})
`

async function invitingPad(count: number) {
  const pad = await launchPad(count)
  writeFileSync(pad.launch, letter)
  const env = { DATA_DIR: pad.dataDir, LINK_KEY: '', NO_COLOR: '1' }
  const invitations = (...args: string[]) => operator(['invitations', ...args], { env })
  const announce = (...args: string[]) =>
    pad.run(['announce', pad.launch, '--rate', '1000', '--dns-server', pad.dns.server, ...args], {
      PUBLIC_URL,
    })
  const codeTo = async (email: string) =>
    /join\?code=([\w.-]+)/.exec((await pad.relay.messageTo(email)).text ?? '')?.[1] ?? ''
  return { ...pad, announce, invitations, codeTo }
}

describe('a letter with invitations, by the tool as it is called', () => {
  it('goes from dry run and test to a product that verifies it by the printed keys', async () => {
    const pad = await invitingPad(3)
    const dry = await pad.announce('--dry-run')
    expect(dry.code).toBe(0)
    expect(dry.stderr).toMatch(
      /^Invitation: valid for 14 days, from now until \d{4}-\d\d-\d\d \d\d:\d\d UTC; its key is made .* invitations --jwks$/m,
    )
    expect(existsSync(join(pad.dataDir, 'invitation.key'))).toBe(false)
    const printed = await pad.invitations('--jwks')
    const jwks = JSON.parse(printed.stdout)
    expect(jwks.keys).toMatchObject([{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' }])
    expect(jwks.keys[0]).not.toHaveProperty('d')

    await pad.announce('--to', 'me@example.com')
    expect(decodeJwt(await pad.codeTo('me@example.com')).aud).toBe(`${product.appId}:test`)
    const sent = await pad.announce()
    expect(sent.stdout).toContain('The balance holds: 3 = 3 sent\n')
    const pinned = { algorithms: ['EdDSA'], issuer: PUBLIC_URL, audience: product.appId }
    const code = await pad.codeTo(person(1).email)
    await jwtVerify(code, createLocalJWKSet(jwks), pinned)
    // No code stands in anything that was printed, where a log would have it.
    for (const { stdout, stderr } of [dry, sent]) expect(stdout + stderr).not.toContain(code)

    // A new key comes beside the old one, whose codes go on; a key of nothing is printed no more.
    const both = JSON.parse((await pad.invitations('--new-key')).stdout)
    expect(both.keys).toHaveLength(2)
    expect(both.keys[1]).toEqual(jwks.keys[0])
    await jwtVerify(code, createLocalJWKSet(both), pinned)
    const third = JSON.parse((await pad.invitations('--new-key')).stdout)
    expect(third.keys.map(({ kid }: { kid: string }) => kid)).toEqual([
      expect.any(String),
      jwks.keys[0].kid,
    ])
  })

  it('sends nothing without its key or an issuer, and nothing with a code in a wrong place', async () => {
    const pad = await invitingPad(2)
    expect((await pad.invitations('--jwks')).code).toBe(0)
    renameSync(join(pad.dataDir, 'invitation.key'), join(pad.dataDir, 'away.key'))
    for (const args of [
      ['--force', 'invitation-key'],
      ['--to', 'me@example.com'],
    ]) {
      const end = await pad.announce(...args)
      expect(end.code).toBe(1)
      expect(end.stderr).toMatch(/invitation\.key, which signs invitations, is not in/)
    }
    renameSync(join(pad.dataDir, 'away.key'), join(pad.dataDir, 'invitation.key'))
    const nobody = await pad.run(['announce', pad.launch, '--dns-server', pad.dns.server])
    expect(nobody).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('PUBLIC_URL is not set'),
    })
    writeFileSync(pad.launch, letter.replace('https://app', 'http://app'))
    const open = await pad.announce()
    expect(open.code).toBe(1)
    expect(open.stderr).toMatch(/PROBLEM.*would carry the code in the open; write https/)
    expect(pad.relay.accepted).toEqual([])
  })

  it('is called wrongly with a clear word', async () => {
    const pad = await invitingPad(0)
    expect(await pad.invitations()).toMatchObject({ code: 2, stderr: 'Add --jwks or --new-key.\n' })
  })
})

/** A block of code in the document, by its language. */
function example(language: string): string {
  const page = readFileSync(join(root, 'docs/invitations.md'), 'utf8')
  const [, code = ''] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page) ?? []
  expect(code).not.toBe('')
  return code
}

const runs = (...command: [string, ...string[]]) =>
  spawnSync(command[0], command.slice(1)).status === 0

/** Each takes the keys and the code from its environment, and admits a code once. */
const languages = [
  ['js', 'main.mjs', true, ['node', 'main.mjs']],
  ['py', 'main.py', runs('python3', '-c', 'import jwt, cryptography'), ['python3', 'main.py']],
  ['go', 'main.go', runs('go', 'version'), ['go', 'run', '.']],
] as const

describe.each(languages)('the example in %s', (language, file, isThere, [command, ...args]) => {
  it.skipIf(!isThere)('admits the holder of a code once, and nobody with another', async () => {
    const pad = await invitingPad(2)
    const jwks = (await pad.invitations('--jwks')).stdout
    await pad.announce()
    await pad.announce('--to', 'me@example.com')
    const folder = tempDir()
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, file), example(language))
    if (language === 'go')
      expect(runs('sh', '-c', `cd ${folder} && go mod init example && go mod tidy`)).toBe(true)
    const admits = (code: string, more: Record<string, string> = {}) => {
      const env = { INVITATION_JWKS: jwks, ISSUER: PUBLIC_URL, APP_ID: product.appId, CODE: code }
      const { stdout, stderr } = spawnSync(command, args, {
        cwd: folder,
        env: { ...process.env, ...env, DATABASE: join(folder, 'used.sqlite'), ...more },
        encoding: 'utf8',
      })
      return stdout.trim() || stderr
    }
    const code = await pad.codeTo(person(1).email)
    const subject = decodeJwt(code).sub ?? ''
    expect(admits(code)).toBe(`admitted ${subject}`)
    expect(admits(code)).toBe('refused')
    const [head, body, signature] = (await pad.codeTo(person(2).email)).split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    for (const wrong of [
      `${head}.${body}.${'A'.repeat(86)}`,
      `${none}.${body}.`,
      `${head}.${body}`,
      signature ?? '',
      await pad.codeTo('me@example.com'),
    ])
      expect(admits(wrong)).toBe('refused')
    const other = await pad.codeTo(person(2).email)
    expect(admits(other, { ISSUER: 'https://other.example' })).toBe('refused')
    expect(admits(other, { APP_ID: 'other' })).toBe('refused')
    expect(admits(other)).toBe(`admitted ${decodeJwt(other).sub}`)
  })
})
