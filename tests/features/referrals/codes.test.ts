import { expect, it } from 'vitest'
import { friendCodes } from '../../../src/features/referrals/codes.ts'
import { addressIds } from '../../../src/keys/address-id.ts'

const keys = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const
const [ids, codes] = [addressIds(keys[0]), friendCodes(keys[0])]

it('makes one short code of an address id, and reads it back', () => {
  const id = ids.of('ada@example.com')
  const code = codes.of(id)
  expect(code).toMatch(/^[\w-]{22}$/)
  expect(codes.of(id)).toBe(code)
  expect(codes.read(code)).toBe(id)
  expect(codes.of(ids.of('bob@example.com'))).not.toBe(code)
})

it('says nothing without the key: neither an id that others know, nor the same under another key', () => {
  const id = ids.of('ada@example.com')
  const code = codes.of(id)
  expect([id, ids.person(id)]).not.toContain(code)
  expect(friendCodes(keys[1]).of(id)).not.toBe(code)
  expect(friendCodes(keys[1]).read(code)).not.toBe(id)
})

it('reads every text of that form as an id, and nothing else', () => {
  expect(codes.read('A'.repeat(22))).toMatch(/^[\w-]{22}$/)
  for (const text of ['', 'A'.repeat(21), 'A'.repeat(23), `${'A'.repeat(21)}/`, 'é'.repeat(22)])
    expect(codes.read(text)).toBeUndefined()
})

it('means the same in every version, since people pass it on', () => {
  const key = Buffer.from('a link key of 32 bytes or longer')
  const id = addressIds(key).of('ada@example.com')
  expect(friendCodes(key).of(id)).toBe('usX12iSQEBAghbRvlhCEZA')
})
