import { expect, it } from 'vitest'
import { reportOfQuarantine } from '../../../src/report/makers/quarantine.ts'
import { undocumented } from '../../fixtures/report-fields.ts'

it('says what each field is that programs get of a quarantine', () => {
  const one = [['x', 1]] as const
  const counts = { listed: 1, toConfirm: 0, signs: one, domains: one, days: one }
  const nobody = { ...counts, listed: 0, signs: [], domains: [], days: [] }
  for (const some of [counts, nobody])
    expect(undocumented('quarantine', reportOfQuarantine(some, true))).toEqual([])
})
