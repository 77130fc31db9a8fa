import { expect, it } from 'vitest'
import { reportOfQuarantine } from '../../../src/report/makers/quarantine.ts'
import { undocumented } from '../../fixtures/report-fields.ts'

const one = [['x', 1]] as const
const counts = { listed: 1, toConfirm: 0, signs: one, domains: one, days: one }

it('offers no command that forgets everybody who is held, where only some were looked for', () => {
  const offered = (isNarrowed: boolean) =>
    reportOfQuarantine(counts, isNarrowed).parts.flatMap((part) =>
      part.part === 'acts' ? part.acts.map(({ command }) => command) : [],
    )
  expect(offered(true)).toEqual([])
  expect(offered(false)).toContain('quarantine --erase')
})

it('says what each field is that programs get of a quarantine', () => {
  const nobody = { ...counts, listed: 0, signs: [], domains: [], days: [] }
  for (const some of [counts, nobody])
    expect(undocumented('quarantine', reportOfQuarantine(some, true))).toEqual([])
})
