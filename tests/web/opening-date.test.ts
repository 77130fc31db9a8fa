import { expect, it } from 'vitest'
import { openingDate } from '../../src/web/opening-date.ts'

it('says a time with day, month, year, hour, minute and zone, in the words of a language', () => {
  const at = '2027-01-02T08:05:00.000Z'
  // Which space stands before "AM" is up to the engine.
  const plain = (text: string) => text.replace(/\s/g, ' ')
  expect(plain(openingDate(at, 'en-US', 'UTC'))).toBe('Jan 2, 2027, 08:05 AM UTC')
  expect(plain(openingDate(at, 'de', 'Asia/Tokyo'))).toBe('2. Jan. 2027, 17:05 GMT+9')
})
