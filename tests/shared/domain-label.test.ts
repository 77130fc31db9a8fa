import { domainToUnicode } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isPermitted, readableLabel } from '../../src/shared/domain-label.ts'

/** Node's parser knows how letters join; Chromium's takes a joiner anywhere. */
const isTakenByNode = (label: string) => URL.canParse(`http://${label}`)

describe('a label outside ASCII', () => {
  it('has a joint only between Arabic letters that would join, as the tables of Unicode have it', () => {
    const arabic = Array.from({ length: 0x6d4 - 0x620 }, (_, i) => String.fromCodePoint(0x620 + i))
    const letters = arabic.filter((letter) => /\p{L}/u.test(letter) && isPermitted(letter))
    expect(letters.length).toBeGreaterThan(100)
    const labels = letters.flatMap((one) => [`${one}\u200cب`, `ب\u200c${one}`])
    expect(labels.filter((label) => isPermitted(label) !== isTakenByNode(label))).toEqual([])
  })

  it('has a joiner behind a virama, and nowhere else', () => {
    expect(['क्\u200dष', 'क्\u200cष'].map(isPermitted)).toEqual([true, true])
    const misplaced = ['क\u200dष', 'ب\u200dب', 'صفحه\u200c', '\u200cب', 'é\u200cé', 'é\u200d']
    expect(misplaced.filter(isPermitted)).toEqual([])
  })

  it('is read from its form in ASCII as Node reads it', () => {
    for (const label of ['xn--mller-kva', 'xn--com-9o0a', 'xn--gckg0cgw47agad', 'xn--11b2ezcw70k'])
      expect(readableLabel(label)).toBe(domainToUnicode(label))
    for (const label of [
      'example',
      'xn--',
      'xn--example-',
      'xn--999999999',
      `xn--${'a'.repeat(60)}`,
    ])
      expect(readableLabel(label)).toBe(label)
  })
})
