import type { Product } from '../shared/product.ts'
import type { UnsubscribeStep } from '../site/site.ts'
import { unsubscribeMessages } from './messages.ts'
import { PlainPage } from './plain-page.tsx'

export interface UnsubscribeProps {
  readonly product: Product
  readonly step: UnsubscribeStep
}

/** The page behind an unsubscribe link. */
export function Unsubscribe({ product, step }: UnsubscribeProps) {
  const { heading, text, button } = unsubscribeMessages[step]
  return (
    <PlainPage product={product} heading={heading} text={text}>
      {button && (
        // Posts to its own URL, so that the token stays in the path. A GET must not unsubscribe,
        // since mail scanners open every link.
        <form className="subscribe" method="post">
          <div className="subscribe-row">
            <button type="submit">{button}</button>
          </div>
        </form>
      )}
    </PlainPage>
  )
}
