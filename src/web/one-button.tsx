import type { OneButtonPage } from '../site/site.ts'
import type { LinkPage } from './parts/slots.ts'

const still: LinkPage = ({ words }) => {
  const button = <OneButton>{words.stillYes}</OneButton>
  return {
    ask: { heading: words.stillHeading, text: words.stillAsk, children: button },
    done: { heading: words.notMeHeading, text: words.stillNoted },
    broken: { heading: words.brokenHeading, text: words.stillBroken },
    unavailable: {
      heading: words.unavailableHeading,
      text: words.unsubscribeUnavailable,
      children: button,
    },
  }
}

const unsubscribe: LinkPage = ({ words }) => {
  const button = <OneButton>{words.unsubscribeButton}</OneButton>
  return {
    ask: { heading: words.unsubscribeHeading, text: words.unsubscribeAsk, children: button },
    done: { heading: words.unsubscribedHeading, text: words.unsubscribed },
    broken: { heading: words.brokenHeading, text: words.broken },
    unavailable: {
      heading: words.unavailableHeading,
      text: words.unsubscribeUnavailable,
      children: button,
    },
  }
}

/** The pages behind links of letters that have one button. */
export const oneButtonPages: Readonly<Record<OneButtonPage, LinkPage>> = {
  unsubscribe,
  'still-interested': still,
}

/**
 * Posts to its own URL, so that the token stays in the path. A GET must not act, since mail scanners open
 * every link.
 */
function OneButton({ children }: { readonly children: string }) {
  return (
    <form className="subscribe" method="post">
      <div className="subscribe-row">
        <button type="submit">{children}</button>
      </div>
    </form>
  )
}
