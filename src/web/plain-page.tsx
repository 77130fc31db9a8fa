import type { ReactNode } from 'react'
import type { Product } from '../shared/product.ts'
import { catalogueOf } from '../words/catalogue.ts'
import { altIn, firstLogo, type PageLanguage } from '../words/page-words.ts'
import { phrased } from '../words/phrases.ts'
import { ProductPicture } from './first-page.tsx'
import { StatusIcon } from './icons.tsx'

export interface PlainPageProps {
  readonly product: Product
  readonly heading: string
  readonly text: string
  /** Whether it is the yes that somebody came for: it has a sign, and the scene answers. */
  readonly isYes?: boolean
  /** Links or a form under the text. */
  readonly children?: ReactNode
}

/** A page with one message, in the style of the first page. Rendered at build; needs no script. */
export function PlainPage({ product, heading, text, isYes, children }: PlainPageProps) {
  const { picture } = product.look ?? {}
  return (
    <div id="root">
      <div className="page">
        <header className="brand">
          <img src={`/${firstLogo(product)}`} alt={product.name} width="48" height="48" />
          <span aria-hidden="true">{product.name}</span>
        </header>
        {picture && <ProductPicture {...picture} alt={altIn(picture, product.language ?? 'en')} />}
        <main data-status={isYes ? 'success' : undefined}>
          {isYes && <StatusIcon success />}
          <h1>{heading}</h1>
          <p className="pitch">{phrased(text, product.language)}</p>
          {children}
        </main>
        <div className="backdrop">
          <i />
        </div>
      </div>
      {/* As on the first page, whose script has no byte for another place: an imprint is law in places. */}
      {product.links && (
        <footer className="footer">
          {Object.entries(product.links).map(([words, target]) => (
            <a key={words} href={target}>
              {words}
            </a>
          ))}
        </footer>
      )}
    </div>
  )
}

/** The link to the first page, where nothing else is to be done. */
export function WayHome({ language: { product, path } }: { readonly language: PageLanguage }) {
  return (
    <a className="way-home" href={`${path}/`}>
      {catalogueOf(product).words.wayHome}
    </a>
  )
}
