import { describe, expect, it } from 'vitest'
import { addressIds } from '../../src/keys/address-id.ts'
import { unsubscribeTokens } from '../../src/keys/unsubscribe-token.ts'
import { linkKey } from '../fixtures/keys.ts'

const other = Buffer.from('another key, as somebody might guess')

describe('the id of an address', () => {
  it('is the same every time, another for each address, and says nothing without the key', () => {
    const ids = addressIds(linkKey)
    expect(ids.of('ada@example.com')).toBe(addressIds(linkKey).of('ada@example.com'))
    expect(ids.of('ada@example.com')).toMatch(/^[\w-]{22}$/)
    expect(ids.of('ada@example.com')).not.toBe(ids.of('bob@example.com'))
    expect(ids.of('ada@example.com')).not.toBe(addressIds(other).of('ada@example.com'))
    expect(ids.fingerprint).not.toBe(addressIds(other).fingerprint)
  })
})

describe('an unsubscribe token', () => {
  const id = addressIds(linkKey).of('ada@example.com')
  const tokens = unsubscribeTokens(linkKey)

  it('gives back the id that it was signed for', () => {
    expect(tokens.read(tokens.sign(id))).toBe(id)
  })

  it('is worth nothing when any character of it differs', () => {
    const token = tokens.sign(id)
    for (let i = 0; i < token.length; i += 1) {
      const changed = token.slice(0, i) + (token[i] === 'A' ? 'B' : 'A') + token.slice(i + 1)
      expect(tokens.read(changed), `character ${i}`).toBeUndefined()
    }
  })

  it('is worth nothing from another key, of another length, or in other letters', () => {
    const token = tokens.sign(id)
    const strangers = [
      '',
      'x',
      `${token}A`,
      token.slice(1),
      'ä'.repeat(44),
      unsubscribeTokens(other).sign(id),
    ]
    for (const stranger of strangers) expect(tokens.read(stranger), stranger).toBeUndefined()
  })
})
