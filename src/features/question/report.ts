import type { Figure, Report, Table } from '../../shared/report.ts'
import type { ReplyCounts } from './count-replies.ts'

/** How many replies are shown at first. */
const SHOWN = 20

/** What people replied to the question of the page. @param question left out where it asks nothing now. */
export function reportOfReplies(counts: ReplyCounts, question?: string): Report {
  const asks =
    question === undefined
      ? 'Your page asks nothing. With question in product.config.ts it asks those who signed up.'
      : `Your page asks those who signed up: ${question}`
  return {
    title: 'Answers',
    parts: [
      {
        part: 'figures',
        figures: [
          { ...repliesFigure(counts), isLead: true },
          {
            name: 'others',
            label: 'Other answers',
            value: counts.others,
            remark: 'of so many kinds that they are not counted one by one',
          },
        ],
      },
      {
        part: 'notes',
        notes: [{ code: 'question', text: asks, data: { question: question ?? null } }],
      },
      {
        ...repliesTable(counts),
        act: { code: 'who-answered', words: 'Show', command: 'list --answered <answer>' },
      },
    ],
  }
}

/** How many replied, here and in `status`. */
export const repliesFigure = ({ people, answered }: ReplyCounts): Figure => ({
  name: 'answered',
  label: 'Answered',
  value: answered,
  of: { all: people, what: people === 1 ? 'subscriber' : 'subscribers' },
  data: { people },
})

export const repliesTable = ({ answers }: ReplyCounts): Table => ({
  part: 'table',
  name: 'answers',
  title: 'Answer',
  columns: [
    { name: 'answer', kind: 'foreign' },
    { name: 'people', head: 'People', isBar: true },
  ],
  rows: answers,
  most: SHOWN,
})
