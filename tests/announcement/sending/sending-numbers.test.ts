import { expect, it } from 'vitest'
import { parseFirst, parseShare } from '../../../src/announcement/sending/sending-numbers.ts'

it('reads a share with or without a fraction, up to all, and nothing else', () => {
  expect(['5%', '0.5%', '100%'].map(parseShare)).toEqual([0.05, 0.005, 1])
  for (const other of ['5', '%', '101%', '5.%', ' 5%', '5%\n'])
    expect(parseShare(other)).toBeUndefined()
  expect(parseFirst('1%')?.(150)).toBe(2)
  expect(parseFirst('50')?.(150)).toBe(50)
  expect(parseFirst('0')).toBeUndefined()
})
