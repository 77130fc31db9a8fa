import { answering } from '../../client/answering.ts'
import { replyPath } from '../../shared/api.ts'
import type { AfterThanks, AfterYes, InLanguage, LinkStep } from '../../web/parts/slots.ts'
import { unavailable } from '../../web/parts/unavailable.ts'
import { type AskWords, askWordsOf } from '../../words/page-words.ts'
import type { ReplyStep } from './steps.ts'

interface QuestionProps {
  readonly words: AskWords
  /** Where a reply is posted; by default to where the page is. */
  readonly action?: string | undefined
}

/** What is asked of somebody who just signed up. */
export function AskedAfterThanks({ words: { ask }, path }: AfterThanks) {
  const { token } = answering
  return ask && token && <Question words={ask} action={`${path}${replyPath}/${token}`} />
}

/** The same on a page that is about one person alone. */
export function AskedAfterYes({ language, words, hasReplied }: AfterYes) {
  const ask = askWordsOf(language.product, words)
  return !hasReplied && ask && <Question words={ask} />
}

/** The page that asks after a sign-up without script or by a letter, and takes every reply. */
export function replyPage(page: InLanguage): Readonly<Record<ReplyStep, LinkStep>> {
  const { words } = page
  const children = <AskedAfterYes {...page} />
  return {
    ask: { heading: words.onListHeading, text: words.subscribed, isYes: true, children },
    letter: { heading: words.replyHeading, text: words.replyAsked, children },
    wrong: { heading: words.replyHeading, text: words.wrongAnswer, children },
    done: { heading: words.answeredHeading, text: words.answered },
    ended: { heading: words.endedHeading, text: words.answerEnded },
    broken: { heading: words.brokenHeading, text: words.stillBroken },
    unavailable: unavailable(page, children),
  }
}

/** A question that may be passed over. Its reply leads to a page of its own, with script and without. */
function Question({ words: { ask, kind, choices, button }, action }: QuestionProps) {
  return (
    <form
      className={choices ? 'question more' : 'question more subscribe'}
      method="post"
      action={action}
      aria-labelledby="ask"
    >
      <p id="ask">{ask}</p>
      {choices ? (
        <div className="choices">
          {/* Firefox balances rows of what has a space between. */}
          {choices.flatMap((choice) => [
            <button key={choice} type="submit" name="said" value={choice}>
              {choice}
            </button>,
            ' ',
          ])}
        </div>
      ) : (
        <div className="subscribe-row">
          <div className="subscribe-field">
            <input
              name="said"
              type="text"
              autoComplete={kind === 'postcode' ? 'postal-code' : 'off'}
              maxLength={200}
              aria-labelledby="ask"
              required
            />
          </div>
          <button type="submit">{button}</button>
        </div>
      )}
    </form>
  )
}
