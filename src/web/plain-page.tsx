import type { ReactNode } from 'react'
import type { Product } from '../shared/product.ts'
import { firstLogo } from '../words/page-words.ts'
import { phrased } from '../words/phrases.ts'

export interface PlainPageProps {
  readonly product: Product
  readonly heading: string
  readonly text: string
  /** Links or a form under the text. */
  readonly children?: ReactNode
}

/** A page with one message, in the style of the first page. Rendered at build; needs no script. */
export function PlainPage({ product, heading, text, children }: PlainPageProps) {
  return (
    <div className="page">
      <header className="brand">
        <img src={`/${firstLogo(product)}`} alt={product.name} width="48" height="48" />
        <span aria-hidden="true">{product.name}</span>
      </header>
      <main>
        <h1>{heading}</h1>
        <p className="pitch">{phrased(text, product.language)}</p>
        {children}
      </main>
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
