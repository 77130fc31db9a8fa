import type { AnswerPageStep } from '../site/site.ts'
import { catalogueOf } from '../words/catalogue.ts'
import { type PageLanguage, questionWordsOf } from '../words/page-words.ts'
import { PlainPage } from './plain-page.tsx'
import { Question } from './question.tsx'

export interface AnswerProps {
  readonly language: PageLanguage
  readonly step: AnswerPageStep
}

/** The page that asks a question after a sign-up without script, and that takes every answer. */
export function Answer({ language: { product, path }, step }: AnswerProps) {
  const { words } = catalogueOf(product)
  const question = questionWordsOf(product, words)
  const said = {
    ask: [words.onListHeading, words.subscribed],
    wrong: [words.onListHeading, words.wrongAnswer],
    done: [words.answeredHeading, words.answered],
    ended: [words.endedHeading, words.answerEnded],
    unavailable: [words.unavailableHeading, words.unsubscribeUnavailable],
  } satisfies Record<AnswerPageStep, string[]>
  const [heading = '', text = ''] = said[step]
  // What could not be kept just now can be given again.
  const asks = step !== 'done' && step !== 'ended'
  return (
    <PlainPage product={product} heading={heading} text={text}>
      {asks && question ? (
        <Question words={question} />
      ) : (
        <a className="way-home" href={`${path}/`}>
          {words.wayHome}
        </a>
      )}
    </PlainPage>
  )
}
