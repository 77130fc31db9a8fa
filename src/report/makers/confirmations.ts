import type { ConfirmationCounts } from '../../audience/confirmation-counts.ts'
import { grouped } from '../../shared/counted.ts'
import type { Figure, Table } from '../../shared/report.ts'
import { say } from '../../shared/say.ts'
import { answerInWords } from '../../terminal/standing-words.ts'

/** What came of asking visitors to confirm; nothing where nobody was asked. */
export function confirmationFigures(found: ConfirmationCounts | undefined): Figure[] {
  if (!found) return []
  const { waiting, asked, withSigns, confirmed, expired } = found
  const notes = [
    expired > 0 && say('{expired} not answered in time', { expired: grouped(expired) }),
    withSigns > 0 &&
      say('{withSigns} wait with signs of a robot', { withSigns: grouped(withSigns) }),
  ]
  return [
    {
      name: 'asked',
      label: say('Asked to confirm'),
      value: asked,
      remark: notes.filter(Boolean).join(', '),
      data: { waiting, withSigns, expired },
    },
    {
      name: 'confirmed',
      label: say('Confirmed'),
      value: confirmed,
      of: { all: asked, what: say('asked') },
    },
  ]
}

/** Letters that did not leave. */
export const failuresTable = (found: ConfirmationCounts | undefined): Table => ({
  part: 'table',
  name: 'failures',
  title: say('Letters that failed'),
  columns: [
    { name: 'answer', kind: 'foreign' },
    { name: 'letters', head: say('Letters') },
  ],
  rows: Object.entries(found?.failures ?? {}).map(([why, letters]) => ({
    answer: answerInWords(why),
    letters,
  })),
  most: 12,
})
