import type { Figure, Report, Table } from '../../shared/report.ts'
import { say } from '../../shared/say.ts'
import type { ReplyCounts } from './count-replies.ts'

/** How many replies are shown at first. */
const SHOWN = 20

/** What people replied to the question of the page. @param question left out where it asks nothing now. */
export function reportOfReplies(counts: ReplyCounts, question?: string): Report {
  const asks =
    question === undefined
      ? say(
          'Your page asks nothing. With question in product.config.ts it asks those who signed up.',
        )
      : say('Your page asks those who signed up: {question}', { question })
  return {
    title: say('Answers'),
    parts: [
      {
        part: 'figures',
        figures: [
          { ...repliesFigure(counts), isLead: true },
          {
            name: 'others',
            label: say('Other answers'),
            value: counts.others,
            remark: say('of so many kinds that they are not counted one by one'),
          },
        ],
      },
      {
        part: 'notes',
        notes: [{ code: 'question', text: asks, data: { question: question ?? null } }],
      },
      {
        ...repliesTable(counts),
        act: { code: 'who-answered', words: say('Show'), command: 'list --answered <answer>' },
      },
    ],
  }
}

/** How many replied, here and in `status`. */
export const repliesFigure = ({ people, answered }: ReplyCounts): Figure => ({
  name: 'answered',
  label: say('Answered'),
  value: answered,
  of: { all: people, what: people === 1 ? say('subscriber') : say('subscribers') },
  data: { people },
})

export const repliesTable = ({ answers }: ReplyCounts): Table => ({
  part: 'table',
  name: 'answers',
  title: say('Answer'),
  columns: [
    { name: 'answer', kind: 'foreign' },
    { name: 'people', head: say('People'), isBar: true },
  ],
  rows: answers,
  most: SHOWN,
})
