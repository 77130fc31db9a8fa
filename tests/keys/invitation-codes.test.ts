import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  formerInvitationCodes,
  invitationCodes,
  invitationIds,
  SAMPLE_CODE,
} from '../../src/keys/invitation-codes.ts'
import { normaliseEmail } from '../../src/shared/email.ts'
import { linkKey } from '../fixtures/keys.ts'
import { emailCases } from '../shared/email-cases.ts'

type Check = (
  code: unknown,
  email: unknown,
  now?: Date,
) => { valid: boolean; why?: string; id?: string; email?: string; expiresAt?: Date }

const key = Buffer.alloc(32, 7)
const product = 'my-product'
const codes = invitationCodes(key, product)
const announcement = 'ready'
const email = 'ada@example.com'
const expiresAt = new Date('2027-01-12T08:00:00Z')
const id = invitationIds(linkKey)('ready', 'A'.repeat(22))
const code = codes.sign({ id, expiresAt, announcement }, email)
const before = new Date('2027-01-01T00:00:00Z')

let check: Check
let checkFormer: Check
const former = formerInvitationCodes(key)

// The program of the document, as it stands there.
beforeAll(async () => {
  const document = readFileSync(join(import.meta.dirname, '../../docs/invitations.md'), 'utf8')
  const [, program = ''] = /```ts\n(import .*?)```/s.exec(document) ?? []
  const folder = mkdtempSync(join(tmpdir(), 'opening-bell-'))
  /** The program as a product has it, with the public key that it was given. */
  const programWith = async (publicKey: string): Promise<Check> => {
    const file = join(folder, `${publicKey}.ts`)
    writeFileSync(file, program)
    process.env.INVITATION_PUBLIC_KEY = publicKey
    process.env.INVITATION_PRODUCT = product
    return ((await import(pathToFileURL(file).href)) as { checkInvitation: Check }).checkInvitation
  }
  check = await programWith(codes.publicKey)
  checkFormer = await programWith(former.publicKey)
  rmSync(folder, { recursive: true })
})

describe('the program of the document', () => {
  it('verifies an invitation for its address, and says which it is and until when', () => {
    expect(check(code, email, before)).toMatchObject({ valid: true, id, email, expiresAt })
    expect(code).toMatch(/^[\w-]{122}$/)
  })

  it('goes on taking the codes of before, where the list goes on with its public key', () => {
    const theirs = former.sign({ id, expiresAt, announcement }, email)
    expect(theirs).toMatch(/^[\w-]{114}$/)
    expect(checkFormer(theirs, email, before)).toMatchObject({ valid: true, id, email, expiresAt })
    expect(checkFormer(theirs, 'bob@example.com', before)).toMatchObject({ why: 'not-theirs' })
    expect(former.read(theirs, email)).toEqual({ id, expiresAt })
    expect(former.read(code, email)).toBeUndefined()
    expect(checkFormer(code, email, before)).toMatchObject({ why: 'not-theirs' })
    expect(check(theirs, email, before)).toMatchObject({ why: 'not-theirs' })
  })

  it('takes none of another product with the same key, and says which letter it is of', () => {
    const other = invitationCodes(key, 'another')
    expect(other.publicKey).not.toBe(codes.publicKey)
    const theirs = other.sign({ id, expiresAt, announcement }, email)
    expect(check(theirs, email, before)).toMatchObject({ why: 'not-theirs' })
    expect(codes.read(theirs, email)).toBeUndefined()
    expect(check(code, email, before)).toMatchObject({ announcement: 'b24d6d33736e' })
    const elsewhere = codes.sign({ id, expiresAt, announcement: 'other' }, email)
    const moved = elsewhere.slice(0, 36) + code.slice(36)
    expect(check(moved, email, before)).toMatchObject({ why: 'not-theirs' })
  })

  it('knows the address however it is written', () => {
    for (const written of ['  Ada@Example.COM ', 'ADA@EXAMPLE.com\n'])
      expect(check(code, written, before)).toMatchObject({ valid: true })
  })

  it('takes each address that the list takes, as the list keeps it', () => {
    for (const { input } of emailCases) {
      const kept = normaliseEmail(input)
      if (kept === undefined) continue
      const theirs = codes.sign({ id, expiresAt, announcement }, kept)
      expect(check(theirs, input, before), input).toMatchObject({ valid: true, email: kept })
    }
  })

  it('refuses it for every other address, however alike', () => {
    for (const other of [
      ...['bob@example.com', 'ada+work@example.com', 'a.da@example.com', 'ada@example.co', ''],
      ...['ada@example.com.evil.example', 'ada@examp\u04cfe.com', '\u0430da@example.com'],
      ...['ada@example.com ada@example.com', 'ada@example.com\0', '"ada"@example.com'],
      ...emailCases.map(({ input }) => input),
    ]) {
      expect(check(code, other, before), other).toEqual({ valid: false, why: 'not-theirs' })
      expect(codes.read(code, other)).toBeUndefined()
    }
  })

  it('takes no change of a single character, and no other way to write the same', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (let i = 0; i < code.length; i += 1)
      for (const character of [...alphabet]
        .filter((one) => one !== code[i])
        .slice(i % 50, (i % 50) + 5)) {
        const changed = code.slice(0, i) + character + code.slice(i + 1)
        expect(check(changed, email, before), changed).toMatchObject({ valid: false })
        expect(codes.read(changed, email)).toBeUndefined()
      }
    const last = [...alphabet].map((character) => code.slice(0, -1) + character)
    expect(last.filter((one) => check(one, email, before).valid)).toEqual([code])
    for (const written of [`${code}=`, ` ${code}`, `${code}\n`, code.replaceAll('_', '/')])
      if (written !== code) expect(check(written, email, before)).toMatchObject({ valid: false })
  })

  it('refuses what another key signed, what was signed for something else, and a moved end', () => {
    const stranger = invitationCodes(Buffer.alloc(32, 8), product)
    expect(check(stranger.sign({ id, expiresAt, announcement }, email), email, before).valid).toBe(
      false,
    )
    const later = codes.sign({ id, expiresAt: new Date('2029-01-01'), announcement }, email)
    for (const [head, tail] of [
      [later.slice(0, 36), code.slice(36)],
      [code.slice(0, 36), later.slice(36)],
    ])
      expect(check(`${head}${tail}`, email, before)).toMatchObject({ why: 'not-theirs' })
  })

  it('knows the code of a test for what it is, and takes it for no real one without its beginning', () => {
    const test = codes.signTest({ id, expiresAt, announcement }, email)
    for (const one of [test, SAMPLE_CODE, 'test-'])
      expect(check(one, email, before)).toEqual({ valid: false, why: 'test' })
    expect(check(test.slice('test-'.length), email, before)).toMatchObject({ why: 'not-theirs' })
    expect(codes.read(test, email)).toBeUndefined()
    expect(codes.read(test.slice('test-'.length), email)).toBeUndefined()
  })

  it('ends at its end, with five minutes for clocks that differ, and tells a stranger nothing of it', () => {
    const past = (ms: number) => new Date(expiresAt.getTime() + ms)
    expect(check(code, email, past(299_999))).toMatchObject({ valid: true })
    expect(check(code, email, past(300_000))).toEqual({ valid: false, why: 'expired' })
    expect(check(code, 'bob@example.com', past(300_000))).toMatchObject({ why: 'not-theirs' })
    // A clock that is behind lets in whoever would be let in.
    expect(check(code, email, new Date(0))).toMatchObject({ valid: true })
  })

  it('answers whatever a request brings, at once', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (one, other) => {
        expect(check(one, other, before).valid).toBe(false)
        expect(check(one, email, before).valid).toBe(false)
        expect(check(code, other, before).valid).toBe(false)
      }),
    )
    const huge = 'A'.repeat(2_000_000)
    for (const one of [huge, `test-${huge}`, [code], { length: 122 }, null])
      expect(check(one, email, before).valid).toBe(false)
    for (const one of [huge, `${huge}@example.com`, `a@${'\u00e9'.repeat(900)}`, [email]])
      expect(check(code, one, before).valid).toBe(false)
  })
})

describe('the code of an invitation', () => {
  it('is the same every time, and another for another letter, address, end or key', () => {
    expect(invitationCodes(key, product).sign({ id, expiresAt, announcement }, email)).toBe(code)
    const idOf = invitationIds(linkKey)
    expect(new Set([idOf('a', 'bc'), idOf('ab', 'c'), idOf('a', 'b')]).size).toBe(3)
    expect(invitationIds(Buffer.alloc(32))('ready', 'A'.repeat(22))).not.toBe(id)
  })

  it('holds no address, and nothing that is the same for two letters to one', () => {
    const bytes = Buffer.from(code, 'base64url').toString('latin1')
    for (const part of ['ada', 'example', '@']) expect(bytes + code).not.toContain(part)
    const other = codes.sign(
      { id: invitationIds(linkKey)('other', 'A'.repeat(22)), expiresAt, announcement: 'other' },
      email,
    )
    // The form and the end stand first; the rest has nothing in common.
    expect(other.slice(7, 28)).not.toBe(code.slice(7, 28))
    expect(other.slice(36)).not.toBe(code.slice(36))
  })

  it('stands in a link as it is, and ends with what no mail program cuts off', () => {
    expect(encodeURIComponent(code)).toBe(code)
    expect(code.at(-1)).toMatch(/[AQgw]/)
  })

  it('is signed as RFC 8032 has it', () => {
    // RFC 8032, 7.1, test 1: the public key of this private one.
    const secret = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'
    const its = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'
    expect(formerInvitationCodes(Buffer.from(secret, 'hex')).publicKey).toBe(
      Buffer.from(its, 'hex').toString('base64url'),
    )
  })
})
