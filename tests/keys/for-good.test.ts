import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addressIds, isAddressId } from '../../src/keys/address-id.ts'
import { askingButton } from '../../src/keys/asking-button.ts'
import { confirmationKeys } from '../../src/keys/confirmation-keys.ts'
import {
  deskCsrf,
  deskTokens,
  hashOfSecret,
  newDeskSecret,
  pastedSecret,
} from '../../src/keys/desk-tokens.ts'
import { parseKey, parseLinkKey } from '../../src/keys/link-key.ts'
import { networkIds } from '../../src/keys/network-id.ts'
import { keptSealKey, sealKeyIn } from '../../src/keys/seal-key.ts'
import { askingTokens, unsubscribeTokens } from '../../src/keys/unsubscribe-token.ts'
import { sealFile, unseal } from '../../src/upkeep/back-up/seal.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const key = Buffer.from('a link key of 32 bytes or longer')
const other = Buffer.from('another key of 32 bytes or longer')
const ids = addressIds(key)
const email = 'ada@example.com'
const id = ids.of(email)
const still = { name: 'still-interested', path: '/still-interested' }
const question = { name: 'question', path: '/answer' }
const askedAt = new Date('2026-11-26T09:00:00.000Z')

it('what stands in letters, back-ups and other systems means the same in every version', async () => {
  const links = { unsubscribeUrl: 'https://example.com/unsubscribe', linkKey: key }
  expect({
    id,
    person: ids.person(id),
    fingerprint: ids.fingerprint,
    unsubscribe: unsubscribeTokens(key).sign(id),
    stillInterested: askingTokens(key, 'still-interested').sign(id),
    question: askingTokens(key, 'question').sign(id),
    buttons: [askingButton(still, links, '/de').url, askingButton(question, links, '').url],
    confirm: confirmationKeys(key).sign(id, askedAt),
    code: confirmationKeys(key).code(id, askedAt),
    network: networkIds(key)('192.0.2.0'),
    csrf: deskCsrf(key)('session'),
    seal: await sealed('copy'),
  }).toEqual({
    buttons: ['https://example.com/de/still-interested', 'https://example.com/answer'],
    code: '481582',
    confirm: 'qDkqX3ZxKnnkau2wMIC1owYTR1CYTv9hZJapcONE9Iowmwxbnhc0',
    csrf: 'twYwwaRlUtgvQRmxIikmAA',
    fingerprint: 'R1jE3DTVK_cSFd0RqdzV7g',
    id: 'qDkqX3ZxKnnkau2wMIC1ow',
    network: '_WSIV9FFYPQnWKH_NPE2pw',
    person: 'qzu5NmpC-knl1EgfGJ7-9Q',
    question: 'qDkqX3ZxKnnkau2wMIC1owplWivLxV23HGR4dHUaEvOQ',
    seal: 'copyopening-bell seal Kyt4xU-poHvnDMZYjbO2yzQFmzS49w_3XGpuaXHa0dc\n',
    stillInterested: 'qDkqX3ZxKnnkau2wMIC1owl2-hM1_4r5fa7iJTrNRMCQ',
    unsubscribe: 'qDkqX3ZxKnnkau2wMIC1owh10JWfERmunSJbR8G6t8Ag',
  })
})

async function sealed(text: string) {
  const file = join(tempDir(), 'copy')
  writeFileSync(file, text)
  await sealFile(file, key)
  return readFileSync(file, 'utf8')
}

describe('a token of one kind', () => {
  const kinds = {
    unsubscribe: unsubscribeTokens,
    still: (key: Buffer) => askingTokens(key, 'still-interested'),
    question: (key: Buffer) => askingTokens(key, 'question'),
  }

  it('is worth nothing as one of another', () => {
    for (const [name, made] of Object.entries(kinds))
      for (const [where, read] of Object.entries(kinds))
        expect(read(key).read(made(key).sign(id)), `${name} as ${where}`).toBe(
          made === read ? id : undefined,
        )
  })

  it('is worth nothing where anything differs', () => {
    const { read, sign } = unsubscribeTokens(key)
    const token = sign(id)
    for (let i = 0; i < token.length; i += 1) {
      const changed = token.slice(0, i) + (token[i] === 'A' ? 'B' : 'A') + token.slice(i + 1)
      expect(read(changed), `character ${i}`).toBeUndefined()
    }
    const foreign = unsubscribeTokens(other).sign(id)
    for (const text of ['', 'x', ` ${token}`, `${token}A`, token.slice(1), 'ä'.repeat(44), foreign])
      expect(read(text), text).toBeUndefined()
  })

  it('is that of the button', () => {
    const links = { unsubscribeUrl: 'https://example.com/unsubscribe', linkKey: key }
    const { tokens } = askingButton(still, links, '')
    expect(tokens.sign(id)).toBe(askingTokens(key, 'still-interested').sign(id))
    expect(askingButton(question, links, '').tokens.sign(id)).toBe(
      askingTokens(key, 'question').sign(id),
    )
  })
})

it('an address id has 22 characters of base64url, and a pseudonym of a network as well', () => {
  expect([id, 'A'.repeat(22), '_-'.repeat(11)].map(isAddressId)).toEqual([true, true, true])
  for (const text of [
    '',
    'A'.repeat(21),
    'A'.repeat(23),
    ` ${'A'.repeat(22)}`,
    `${'A'.repeat(21)}=`,
  ])
    expect([isAddressId(text)], text).toEqual([false])
  expect([
    isAddressId(networkIds(key)('192.0.2.0')),
    isAddressId(7),
    isAddressId(undefined),
  ]).toEqual([true, false, false])
})

describe('the link and the code of a confirmation', () => {
  const keys = confirmationKeys(key)

  it('name the request, and are worth nothing where anything differs', () => {
    const token = keys.sign(id, askedAt)
    expect(keys.read(token)).toEqual({ addressId: id, askedAt: Number(askedAt) })
    const old = new Date(-5)
    expect(keys.read(keys.sign(id, old))).toEqual({ addressId: id, askedAt: -5 })
    expect(confirmationKeys(other).read(token)).toBeUndefined()
    for (let i = 0; i < token.length; i += 1) {
      const changed = token.slice(0, i) + (token[i] === 'a' ? 'b' : 'a') + token.slice(i + 1)
      expect(keys.read(changed), `character ${i}`).toBeUndefined()
    }
    for (const text of ['', 'x', ` ${token}`, token.slice(0, 44), `${token}000`])
      expect(keys.read(text), text).toBeUndefined()
  })

  it('are read however the code is typed', () => {
    const code = keys.code(id, askedAt)
    expect(code).toMatch(/^\d{6}$/)
    for (const typed of [
      code,
      ` ${code} `,
      `${code.slice(0, 3)} ${code.slice(3)}`,
      `${code.slice(0, 3)}-${code.slice(3)}\n`,
    ])
      expect(keys.isCode(typed, id, askedAt), typed).toBe(true)
    const wrong = code === '000000' ? '000001' : '000000'
    for (const typed of [wrong, '', code.slice(1), `${code}0`, 'ä'.repeat(6), 'abcdef'])
      expect(keys.isCode(typed, id, askedAt), typed).toBe(false)
    expect(keys.isCode(code, ids.of('bob@example.com'), askedAt)).toBe(false)
    expect(keys.isCode(code, id, new Date(Number(askedAt) + 1))).toBe(false)
  })

  it('have zeros in front of a small number', () => {
    const codes = Array.from({ length: 40 }, (_, n) => keys.code(id, new Date(n)))
    expect(codes.filter((one) => !/^\d{6}$/.test(one))).toEqual([])
    expect(codes.some((one) => one.startsWith('0'))).toBe(true)
  })
})

describe('the secrets of the desk', () => {
  const tokens = deskTokens(key)

  it('are each of one kind, and nobody but us makes one', () => {
    const kinds = ['link', 'session'] as const
    for (const kind of kinds) {
      const token = tokens.make(kind)
      expect(token).toMatch(/^[\w-]{65}$/)
      expect(tokens.make(kind)).not.toBe(token)
      for (const read of kinds)
        if (read === kind) expect(tokens.idOf(read, token)).toMatch(/^[\w-]{43}$/)
        else expect(tokens.idOf(read, token)).toBeUndefined()
      expect(deskTokens(other).idOf(kind, token)).toBeUndefined()
      const last = token.endsWith('A') ? 'B' : 'A'
      for (const text of [
        '',
        ` ${token}`,
        `${token}A`,
        token.slice(1),
        token.slice(0, -1) + last,
        'ä'.repeat(65),
      ])
        expect(tokens.idOf(kind, text)).toBeUndefined()
    }
  })

  it('are pasted alone or with their link, and kept as a hash', () => {
    const secret = newDeskSecret()
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(newDeskSecret()).not.toBe(secret)
    for (const text of [
      secret,
      ` ${secret}\n`,
      `https://example.com/desk/x#${secret}`,
      `#${secret}`,
    ])
      expect(pastedSecret(text)).toBe(secret)
    expect(hashOfSecret(secret)).toMatch(/^[\w-]{43}$/)
    expect(hashOfSecret(secret)).not.toBe(secret)
    expect(hashOfSecret('a')).toBe('ypeBEsobvcr6wjGzmiPcTaeG7_gUfE5yuYB3ha_uSLs')
  })
})

describe('a key of the settings', () => {
  it('is refused where it is short', () => {
    expect([parseKey('x'.repeat(31)), parseLinkKey('x'.repeat(31))]).toEqual([undefined, undefined])
    expect(parseKey('x'.repeat(32))).toBe('x'.repeat(32))
    expect(parseLinkKey('x'.repeat(32))).toEqual(Buffer.from('x'.repeat(32)))
  })

  it('is there once it was made', () => {
    const folder = tempDir()
    expect(sealKeyIn(folder)).toBeUndefined()
    const made = keptSealKey(folder)
    expect(made.isNew).toBe(true)
    expect(keptSealKey(folder)).toEqual({ key: made.key, isNew: false })
    expect(sealKeyIn(folder)).toEqual(made.key)
  })
})

it('the seal of a copy says whether it is ours, and as it was, and takes no other line for one', async () => {
  const file = join(tempDir(), 'copy')
  const withSeal = async (change: (text: string) => string, by?: Buffer) => {
    writeFileSync(file, change(await sealed('copy')), 'latin1')
    return [await unseal(file, by), readFileSync(file, 'latin1')]
  }
  const line = 'opening-bell seal v0\n'
  expect(await withSeal((text) => text, key)).toEqual(['whole', 'copy'])
  expect(await withSeal((text) => text, other)).toEqual(['wrong', 'copy'])
  expect(await withSeal((text) => text)).toEqual(['unknown', 'copy'])
  expect(await withSeal((text) => text.replace('copy', 'copz'), key)).toEqual(['wrong', 'copz'])
  for (const text of ['', 'copy', `copy${line}`, `copy${'\xff'.repeat(62)}`])
    expect(await withSeal(() => text, key)).toEqual(['wrong', text])
})
