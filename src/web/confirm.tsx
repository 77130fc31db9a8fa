import { AfterYes } from '../features/page.tsx'
import { type ConfirmPageStep, hasConfirmed } from '../site/site.ts'
import { type Catalogue, catalogueOf } from '../words/catalogue.ts'
import type { PageLanguage } from '../words/page-words.ts'
import { PlainPage, WayHome } from './plain-page.tsx'

export interface ConfirmProps {
  readonly language: PageLanguage
  readonly step: ConfirmPageStep
}

interface Said {
  readonly heading: string
  readonly text: string
  /** The buttons, by the answer that each sends. */
  readonly answers?: Readonly<Partial<Record<'yes' | 'no', string>>>
  readonly asksCode?: boolean
  readonly leadsHome?: true
}

function stepsIn(words: Catalogue['words']): Readonly<Record<ConfirmPageStep, Said>> {
  const { yes, no, wasMe } = words
  return {
    ask: { heading: words.confirmHeading, text: words.confirmAsk, answers: { yes, no } },
    code: { heading: words.codeHeading, text: words.codeAsk, asksCode: true },
    wrong: { heading: words.wrongCodeHeading, text: words.wrongCode, asksCode: true },
    done: { heading: words.confirmedHeading, text: words.confirmed },
    'news-ask': { heading: words.confirmHeading, text: words.newsConfirmAsk, answers: { yes, no } },
    'news-done': { heading: words.confirmedHeading, text: words.newsConfirmed },
    replied: { heading: words.answeredHeading, text: words.answered, leadsHome: true },
    'wrong-reply': { heading: words.replyHeading, text: words.wrongAnswer },
    'not-me': { heading: words.notMeHeading, text: words.notMe, answers: { yes: wasMe } },
    ended: { heading: words.endedHeading, text: words.ended, leadsHome: true },
    unavailable: { heading: words.unavailableHeading, text: words.confirmUnavailable },
  }
}

/** The page behind the link of a confirmation letter. Posts to where it is, and a GET never acts. */
export function Confirm({ language, step }: ConfirmProps) {
  const { words } = catalogueOf(language.product)
  const { heading, text, answers, asksCode, leadsHome } = stepsIn(words)[step]
  const isDone = hasConfirmed(step)
  const isYes = step === 'done' || step === 'news-done'
  return (
    <PlainPage product={language.product} heading={heading} text={text} isYes={isYes}>
      {answers && <Answers answers={answers} />}
      {isDone && <AfterYes language={language} words={words} hasReplied={step === 'replied'} />}
      {leadsHome && <WayHome language={language} />}
      {asksCode && <Code words={words} />}
    </PlainPage>
  )
}

function Answers({ answers }: { readonly answers: NonNullable<Said['answers']> }) {
  return (
    <form className="subscribe" method="post">
      <div className="confirm-row">
        {Object.entries(answers).map(([answer, text]) => (
          <button
            key={answer}
            type="submit"
            name="answer"
            value={answer}
            // "Yes" stands out where it is asked for, and not beside a "no" that was said.
            className={answer === 'yes' && answers.no ? undefined : 'confirm-quiet'}
          >
            {text}
          </button>
        ))}
      </div>
    </form>
  )
}

function Code({ words }: Pick<Catalogue, 'words'>) {
  return (
    <form className="subscribe" method="post">
      <div className="subscribe-row">
        <div className="subscribe-field">
          <label htmlFor="code" className="visually-hidden">
            {words.codeLabel}
          </label>
          <input
            id="code"
            name="code"
            type="text"
            inputMode="numeric"
            autoComplete="one-time-code"
            placeholder={words.codeLabel}
            maxLength={9}
            required
          />
        </div>
        <button type="submit">{words.codeButton}</button>
      </div>
    </form>
  )
}
