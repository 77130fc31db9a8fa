import type { UnsubscribeStep } from '../site/site.ts'
import { catalogueOf } from '../words/catalogue.ts'
import type { PageLanguage } from '../words/page-words.ts'
import { PlainPage } from './plain-page.tsx'

export interface UnsubscribeProps {
  readonly language: PageLanguage
  readonly step: UnsubscribeStep
}

/** The page behind an unsubscribe link. */
export function Unsubscribe({ language, step }: UnsubscribeProps) {
  const { words } = catalogueOf(language.product)
  const [heading, text] = {
    ask: [words.unsubscribeHeading, words.unsubscribeAsk],
    done: [words.unsubscribedHeading, words.unsubscribed],
    broken: [words.brokenHeading, words.broken],
    unavailable: [words.unavailableHeading, words.unsubscribeUnavailable],
  }[step] as [string, string]
  const hasButton = step === 'ask' || step === 'unavailable'
  return (
    <PlainPage product={language.product} heading={heading} text={text}>
      {hasButton && (
        // Posts to its own URL, so that the token stays in the path. A GET must not unsubscribe,
        // since mail scanners open every link.
        <form className="subscribe" method="post">
          <div className="subscribe-row">
            <button type="submit">{words.unsubscribeButton}</button>
          </div>
        </form>
      )}
    </PlainPage>
  )
}
