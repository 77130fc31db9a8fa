import type { OneButtonPage, OneButtonStep } from '../site/site.ts'
import { type Catalogue, catalogueOf } from '../words/catalogue.ts'
import type { PageLanguage } from '../words/page-words.ts'
import { PlainPage, WayHome } from './plain-page.tsx'

export interface OneButtonProps {
  readonly language: PageLanguage
  readonly page: OneButtonPage
  readonly step: OneButtonStep
}

type Said = readonly [heading: string, text: string]

function stepsOf(
  page: OneButtonPage,
  words: Catalogue['words'],
): Readonly<Record<OneButtonStep, Said>> {
  const unavailable: Said = [words.unavailableHeading, words.unsubscribeUnavailable]
  if (page === 'unsubscribe')
    return {
      ask: [words.unsubscribeHeading, words.unsubscribeAsk],
      done: [words.unsubscribedHeading, words.unsubscribed],
      broken: [words.brokenHeading, words.broken],
      unavailable,
    }
  return {
    ask: [words.stillHeading, words.stillAsk],
    done: [words.notMeHeading, words.stillNoted],
    broken: [words.brokenHeading, words.stillBroken],
    unavailable,
  }
}

/** The page behind a link of a letter that has one button. */
export function OneButton({ language, page, step }: OneButtonProps) {
  const { words } = catalogueOf(language.product)
  const [heading, text] = stepsOf(page, words)[step]
  const hasButton = step === 'ask' || step === 'unavailable'
  return (
    <PlainPage product={language.product} heading={heading} text={text}>
      {hasButton ? (
        // Posts to its own URL, so that the token stays in the path. A GET must not act, since mail
        // scanners open every link.
        <form className="subscribe" method="post">
          <div className="subscribe-row">
            <button type="submit">
              {page === 'unsubscribe' ? words.unsubscribeButton : words.stillYes}
            </button>
          </div>
        </form>
      ) : (
        <WayHome language={language} />
      )}
    </PlainPage>
  )
}
