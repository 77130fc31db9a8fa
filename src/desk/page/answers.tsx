import { counted, grouped, percent } from '../../shared/counted.ts'
import { type AnswersPage, deskPaths } from '../contract/pages.ts'
import { Button } from './parts/button.tsx'
import { Foreign } from './parts/foreign.tsx'
import { Section } from './parts/section.tsx'
import { type Column, Table } from './parts/table.tsx'
import { PostForm } from './post-form.tsx'
import { useShell } from './view.ts'

/** What people answered to the question of the page, the most frequent first. */
export function Answers({ question, counts, more }: AnswersPage) {
  const { tool } = useShell()
  const { people, answered, answers } = counts
  const [most] = answers
  if (!most)
    return (
      <Section title="Answers">
        <div className="narrow pad after-2">
          <p className="strong">Nobody has answered yet</p>
          <p className="quiet after-1">
            {question === null ? (
              <>
                Your page asks nothing. With <code>question</code> in <code>product.config.ts</code>{' '}
                it asks those who signed up.
              </>
            ) : (
              <>Your page asks those who signed up: {question}</>
            )}
          </p>
          <p className="after-5">
            <a href={deskPaths.people}>Back to the people</a>
          </p>
        </div>
      </Section>
    )
  return (
    <div>
      <p className="note after-6">{question ?? 'Answers'}</p>
      <h1 className="large">{grouped(answered)}</h1>
      <p className="quiet">
        of {grouped(people)} answered, {percent((100 * answered) / people)}
      </p>
      <Section title="The most frequent first">
        <Table
          caption="Answers, the most frequent first"
          columns={columns(most.people)}
          rows={answers}
          keyOf={({ answer }) => answer}
        />
      </Section>
      <p className="note after-4">
        {more > 0 && `${counted(more, 'more answer')} ${more === 1 ? 'is' : 'are'} not shown. `}
        In a terminal, <code>{tool} answers</code> shows all answers, and a letter can go to only
        those who gave a certain one.
      </p>
    </div>
  )
}

type Row = AnswersPage['counts']['answers'][number]

const columns = (most: number): readonly Column<Row>[] => [
  { key: 'answer', head: 'Answer', cell: ({ answer }) => <Foreign text={answer} /> },
  { key: 'people', head: 'People', isNumber: true, cell: ({ people }) => grouped(people) },
  {
    key: 'bar',
    head: '',
    cell: ({ people }) => (
      <meter min={0} max={most} value={people}>
        {grouped(people)}
      </meter>
    ),
  },
  {
    key: 'who',
    head: '',
    // A form, since an answer in a path would be logged.
    cell: ({ answer }) => (
      <PostForm action={deskPaths.people} values={{ answer }}>
        <Button aria-label={`Show who answered ${answer}`}>Show</Button>
      </PostForm>
    ),
  },
]
