import { type AnswerCounts, countAnswers } from '../../audience/answers.ts'
import type { Figure, Report, Table } from '../../shared/report.ts'
import type { SubscriberList } from '../../store/store.ts'

/** How many answers are shown at first. */
const SHOWN = 20

/** What people answered to the question of the page. @param question left out where it asks nothing now. @throws StoreUnavailable */
export const answersReport = async (
  list: Pick<SubscriberList, 'stream'>,
  question: string | undefined,
) => reportOfAnswers(await countAnswers(list), question)

export function reportOfAnswers(counts: AnswerCounts, question?: string): Report {
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
          { ...answersFigure(counts), isLead: true },
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
        ...answersTable(counts),
        act: { code: 'who-answered', words: 'Show', command: 'list --answered <answer>' },
      },
    ],
  }
}

/** How many answered, here and in `status`. */
export const answersFigure = ({ people, answered }: AnswerCounts): Figure => ({
  name: 'answered',
  label: 'Answered',
  value: answered,
  of: { all: people, what: people === 1 ? 'subscriber' : 'subscribers' },
  data: { people },
})

export const answersTable = ({ answers }: AnswerCounts): Table => ({
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
