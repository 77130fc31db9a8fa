import { OneButton } from './parts/one-button.tsx'
import type { LinkPage } from './parts/slots.ts'
import { unavailable } from './parts/unavailable.ts'

/** The page behind the link at the foot of every letter. */
export const unsubscribePage: LinkPage = ({ words }) => {
  const children = <OneButton>{words.unsubscribeButton}</OneButton>
  return {
    ask: { heading: words.unsubscribeHeading, text: words.unsubscribeAsk, children },
    done: { heading: words.unsubscribedHeading, text: words.unsubscribed },
    broken: { heading: words.brokenHeading, text: words.broken },
    unavailable: unavailable({ words }, children),
  }
}
