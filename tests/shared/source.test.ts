import { describe, expect, it } from 'vitest'
import { queryOf, sourceFrom, sourceIn, sourceName } from '../../src/shared/source.ts'

describe('the source that a link names', () => {
  it('is in its query, as most tools write it', () => {
    const query = 'utm_source=HN&utm_medium=social&utm_campaign=Launch%20day'
    const source = { source: 'hn', medium: 'social', campaign: 'launch day' }
    expect(sourceIn(`/?${query}`)).toEqual(source)
    expect(sourceIn(`https://example.com/?a=b&${query}#form`)).toEqual(source)
    expect(sourceIn('/?ref=hn')).toEqual({ source: 'hn' })
    expect(sourceIn('/?ref=one&utm_source=two')).toEqual({ source: 'two' })
  })

  it.each([undefined, '', '/', '/?', '/?ref=', '/?ref=%20', '/?other=hn', '/#?ref', '/?#ref=hn'])(
    'is none in %j',
    (url) => {
      expect(sourceIn(url)).toBeUndefined()
    },
  )

  it('goes into a link and comes out of it', () => {
    const source = { source: 'a b&c', medium: 'social', campaign: 'd=e' }
    expect(sourceIn(`/${queryOf(source)}`)).toEqual(source)
    expect(queryOf({})).toBe('')
  })
})

describe('a name', () => {
  it('has at most 64 characters, none of which is unseen', () => {
    expect(sourceName(` a\u0000\u202e\n b\u001b[31m\u200b `)).toBe('a b[31m')
    expect(sourceName('x'.repeat(10_000))).toBe('x'.repeat(64))
    // Some grow when they are written small.
    for (const long of ['\u0130'.repeat(70), '\u{1f600}'.repeat(70), '\ud800'.repeat(70)])
      expect(sourceName(long)?.length ?? 0).toBeLessThanOrEqual(64)
  })

  it('is no address, also one that is escaped twice', () => {
    expect(sourceIn('/?ref=ada@example.com')).toBeUndefined()
    expect(sourceIn('/?ref=ada%2540example.com')).toBeUndefined()
    expect(sourceIn('/?ref=to:ada%40example.com&utm_medium=mail')).toEqual({ medium: 'mail' })
  })

  it('is the same when it is cleaned again', () => {
    for (const name of ['Hacker News', '\u0130'.repeat(70), `${'x'.repeat(63)} y`]) {
      const once = sourceName(name)
      expect(sourceName(once)).toBe(once)
    }
  })
})

it('takes nothing else from what a copy has', () => {
  expect(sourceFrom('{"source":"HN","other":1}')).toEqual({ source: 'hn' })
  for (const wrong of ['', 'null', '{', '[]', '{"source":5}', 5, undefined, null])
    expect(sourceFrom(wrong)).toBeUndefined()
})
