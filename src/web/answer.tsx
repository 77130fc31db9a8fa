import { Asked } from '../features/page.tsx'
import type { AnswerPageStep } from '../site/site.ts'
import { catalogueOf } from '../words/catalogue.ts'
import type { PageLanguage } from '../words/page-words.ts'
import { PlainPage, WayHome } from './plain-page.tsx'

export interface AnswerProps {
  readonly language: PageLanguage
  readonly step: AnswerPageStep
}

/** The page that asks a question after a sign-up without script or by a letter, and takes every answer. */
export function Answer({ language, step }: AnswerProps) {
  const { product } = language
  const { words } = catalogueOf(product)
  const said = {
    ask: [words.onListHeading, words.subscribed],
    letter: [words.replyHeading, words.replyAsked],
    wrong: [words.replyHeading, words.wrongAnswer],
    done: [words.answeredHeading, words.answered],
    ended: [words.endedHeading, words.answerEnded],
    broken: [words.brokenHeading, words.stillBroken],
    unavailable: [words.unavailableHeading, words.unsubscribeUnavailable],
  } satisfies Record<AnswerPageStep, string[]>
  const [heading = '', text = ''] = said[step]
  // What could not be kept just now can be given again.
  const asks = step !== 'done' && step !== 'ended' && step !== 'broken'
  return (
    <PlainPage product={product} heading={heading} text={text} isYes={step === 'ask'}>
      {asks ? <Asked language={language} words={words} /> : <WayHome language={language} />}
    </PlainPage>
  )
}
