import type { ReactNode } from 'react'
import type { Product } from '../shared/product.ts'

export interface PlainPageProps {
  readonly product: Product
  readonly heading: string
  readonly text: string
  /** What can be done here. */
  readonly children?: ReactNode
}

/** A page that says one thing, in the look of the first. Never runs in a browser: it needs no script. */
export function PlainPage({ product, heading, text, children }: PlainPageProps) {
  return (
    <div className="page">
      <header className="brand">
        <img src={`/${product.logo}`} alt={product.name} width="48" height="48" />
        <span aria-hidden="true">{product.name}</span>
      </header>
      <main>
        <h1>{heading}</h1>
        <p className="pitch">{text}</p>
        {children}
      </main>
    </div>
  )
}
