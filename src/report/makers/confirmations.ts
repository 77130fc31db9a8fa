import type { ConfirmationCounts } from '../../audience/confirmation-counts.ts'
import { grouped } from '../../shared/counted.ts'
import type { Figure, Table } from '../../shared/report.ts'
import { answerInWords } from '../../terminal/standing-words.ts'
import { halfWithin } from '../../terminal/words.ts'

/** What came of asking visitors to confirm; nothing where nobody was asked. */
export function confirmationFigures(found: ConfirmationCounts | undefined): Figure[] {
  if (!found) return []
  const { waiting, asked, withSigns, confirmed, expired, medianSeconds } = found
  const notes = [
    expired > 0 && `${grouped(expired)} not answered in time`,
    withSigns > 0 && `${grouped(withSigns)} wait with signs of a robot`,
  ]
  return [
    {
      name: 'asked',
      label: 'Asked to confirm',
      value: asked,
      remark: notes.filter(Boolean).join(', '),
      data: { waiting, withSigns, expired },
    },
    {
      name: 'confirmed',
      label: 'Confirmed',
      value: confirmed,
      of: { all: asked, what: 'asked' },
      remark: medianSeconds === null ? '' : halfWithin(confirmed, medianSeconds),
      data: { medianSeconds },
    },
  ]
}

/** Letters that did not leave. */
export const failuresTable = (found: ConfirmationCounts | undefined): Table => ({
  part: 'table',
  name: 'failures',
  title: 'Letters that failed',
  columns: [
    { name: 'answer', kind: 'foreign' },
    { name: 'letters', head: 'Letters' },
  ],
  rows: Object.entries(found?.failures ?? {}).map(([why, letters]) => ({
    answer: answerInWords(why),
    letters,
  })),
  most: 12,
})
