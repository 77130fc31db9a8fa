import { PERSON_SLOT } from '../../site/site.ts'
import { SharedLink } from '../../web/parts/share.tsx'
import type { AfterYes } from '../../web/parts/slots.ts'
import { phrased } from '../../words/phrases.ts'
import { CODE_PARAMETER } from './parameter.ts'

/** The personal link of who confirmed. Without `share`, it is there to be copied alone. */
export function PersonalLink(page: AfterYes) {
  const { VITE_REFERRALS, VITE_SHARE } = import.meta.env
  return (
    <>
      <SharedLink
        {...page}
        origin={VITE_REFERRALS}
        query={`${CODE_PARAMETER}=${PERSON_SLOT}&ref=friend-`}
        isLinkAlone={!VITE_SHARE}
      />
      <div className="share more">
        <p>{phrased(page.words.personalLink, page.language.product.language)}</p>
      </div>
    </>
  )
}
