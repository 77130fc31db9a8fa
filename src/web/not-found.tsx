import type { Product } from '../shared/product.ts'
import { notFoundMessages } from './messages.ts'
import { PlainPage } from './plain-page.tsx'

/** The 404 page. */
export function NotFound({ product }: { readonly product: Product }) {
  const { heading, text, wayHome } = notFoundMessages
  return (
    <PlainPage product={product} heading={heading} text={text}>
      <a className="way-home" href="/">
        {wayHome}
      </a>
    </PlainPage>
  )
}
