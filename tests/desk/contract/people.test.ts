import { expect, it } from 'vitest'
import { sourceless } from '../../../src/desk/contract/people.ts'

it('says of who came without a source whether they were imported, and that none of a robot is kept', () => {
  expect(sourceless({ standing: 'subscribed' })).toBe('direct')
  expect(sourceless({ standing: 'quarantined' })).toBe('not kept')
  expect(sourceless({ standing: 'quarantined', isImported: true })).toBe('imported')
})
