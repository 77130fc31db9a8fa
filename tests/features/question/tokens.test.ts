import { describe, expect, it } from 'vitest'
import { replyKey, replyTokens } from '../../../src/features/question/reply-tokens.ts'
import { EMAIL_MAX_LENGTH } from '../../../src/shared/email.ts'

const key = Buffer.from('a link key of 32 bytes or longer')
const other = Buffer.from('another key of 32 bytes or longer')
const email = 'ada@example.com'
const start = Date.parse('2026-11-26T09:00:00.000Z')

describe('the token of a reply', () => {
  let now = start
  const tokens = replyTokens(key, () => now)
  const own = replyKey()

  it('says who may reply for an hour, to nobody but us', () => {
    now = start
    const longest = `${'ä'.repeat(EMAIL_MAX_LENGTH - 12)}@example.com`
    for (const replying of [
      { email, key: own },
      { email: longest, key: replyKey() },
    ]) {
      const token = tokens.seal(replying)
      expect(tokens.open(token)).toEqual(replying)
      expect(replyTokens(other, () => now).open(token)).toBeUndefined()
      expect(Buffer.from(token, 'base64url').includes('example')).toBe(false)
    }
    expect(tokens.seal({ email, key: own })).toHaveLength(
      tokens.seal({ email: longest, key: own }).length,
    )
    expect(tokens.seal({ email, key: own })).not.toBe(tokens.seal({ email, key: own }))
    const token = tokens.seal({ email, key: own })
    now += 3_600_000
    expect(tokens.open(token)).toBeDefined()
    now += 1
    expect(tokens.open(token)).toBeUndefined()
  })

  it('is worth nothing where a bit of it differs', () => {
    const bytes = Buffer.from(tokens.seal({ email, key: own }), 'base64url')
    for (const at of [0, 11, 12, 27, 28, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(tokens.open(changed.toString('base64url')), String(at)).toBeUndefined()
    }
    for (const token of [
      '',
      'x',
      bytes.subarray(1).toString('base64url'),
      `${bytes.toString('base64url')}AAAA`,
    ])
      expect(tokens.open(token)).toBeUndefined()
  })
})
