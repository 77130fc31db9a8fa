import type { Product } from '../shared/product.ts'
import type { UnsubscribeStep } from '../shared/site.ts'
import { unsubscribeMessages } from './messages.ts'

export interface UnsubscribeProps {
  readonly product: Product
  readonly step: UnsubscribeStep
}

/** The page behind an unsubscribe link. Never runs in a browser: the form needs no script. */
export function Unsubscribe({ product, step }: UnsubscribeProps) {
  const { heading, text, button } = unsubscribeMessages[step]
  return (
    <div className="page">
      <header className="brand">
        <img src={`/${product.logo}`} alt={product.name} width="48" height="48" />
        <span aria-hidden="true">{product.name}</span>
      </header>
      <main>
        <h1>{heading}</h1>
        <p className="pitch">{text}</p>
        {button && (
          // Posts to where it is, so that the link's token stays in the path. A GET must not act:
          // scanners press every link in a mail.
          <form className="subscribe" method="post">
            <div className="subscribe-row">
              <button type="submit">{button}</button>
            </div>
          </form>
        )}
      </main>
    </div>
  )
}
