import { OneButton } from '../../web/parts/one-button.tsx'
import type { LinkPage } from '../../web/parts/slots.ts'
import { unavailable } from '../../web/parts/unavailable.ts'

/** The page behind the button of the letter. */
export const stillInterestedPage: LinkPage = ({ words }) => {
  const children = <OneButton>{words.stillYes}</OneButton>
  return {
    ask: { heading: words.stillHeading, text: words.stillAsk, children },
    done: { heading: words.notMeHeading, text: words.stillNoted },
    broken: { heading: words.brokenHeading, text: words.stillBroken },
    unavailable: unavailable({ words }, children),
  }
}
