import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keptKey, parseKept, replaceKey } from '../../src/keys/kept-key.ts'
import { keptLinkKey, parseLinkKey } from '../../src/keys/link-key.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const rights = (file: string) => statSync(file).mode & 0o777

describe.each([
  ['link.key', keptLinkKey],
  ['other.key', (folder: string) => keptKey(folder, 'other.key')],
] as const)('%s', (name, read) => {
  it('is made once, by chance, and is its owner’s alone', () => {
    const [one, other] = [tempDir(), tempDir()]
    const key = read(one)
    expect(readFileSync(join(one, name))).toEqual(Buffer.from(key))
    expect(rights(join(one, name))).toBe(0o600)
    expect(read(one)).toEqual(key)
    expect(read(other)).not.toEqual(key)
  })

  it('loses the rights that a copy of it came with', () => {
    const folder = tempDir()
    const key = read(folder)
    chmodSync(join(folder, name), 0o644)
    expect(read(folder)).toEqual(key)
    expect(rights(join(folder, name))).toBe(0o600)
  })

  it('is not made where there is no folder', () => {
    expect(() => read(join(tempDir(), 'none'))).toThrow('ENOENT')
  })

  it('is never replaced, not even when it is no key', () => {
    for (const length of [0, 31, 33]) {
      const folder = tempDir()
      const file = join(folder, name)
      writeFileSync(file, Buffer.alloc(length))
      expect(() => read(folder)).toThrow(
        `${file} is not the key that was made there; put that one back from your back-up`,
      )
      expect(statSync(file).size).toBe(length)
    }
  })
})

it('LINK_KEY may be a link.key in base64, if it is long enough', () => {
  const key = keptLinkKey(tempDir())
  expect(parseLinkKey(`base64:${key.toString('base64')}`)).toEqual(key)
  expect(parseLinkKey(`base64:${key.subarray(1).toString('base64')}`)).toBeUndefined()
})

it('a key in a setting is 32 bytes in base64, whole, and nothing else', () => {
  const folder = tempDir()
  const former = keptKey(folder, 'other.key')
  replaceKey(folder, 'other.key')
  const key = keptKey(folder, 'other.key')
  expect(key).not.toEqual(former)
  expect(rights(join(folder, 'other.key'))).toBe(0o600)
  const text = key.toString('base64')
  expect(parseKept(text)).toEqual(key)
  expect(parseKept(`base64:${text}`)).toEqual(key)
  for (const wrong of [
    '',
    text.slice(1),
    text.slice(0, -1),
    `${text}AAAA`,
    `${text} x`,
    'x'.repeat(44),
  ])
    expect(parseKept(wrong), wrong).toBeUndefined()
})
