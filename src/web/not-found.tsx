import type { Product } from '../shared/product.ts'
import { catalogueOf } from '../words/catalogue.ts'
import { PlainPage } from './plain-page.tsx'

/** The 404 page. */
export function NotFound({ product }: { readonly product: Product }) {
  const { notFoundHeading, notFound, wayHome } = catalogueOf(product).words
  return (
    <PlainPage product={product} heading={notFoundHeading} text={notFound}>
      <a className="way-home" href="/">
        {wayHome}
      </a>
    </PlainPage>
  )
}
