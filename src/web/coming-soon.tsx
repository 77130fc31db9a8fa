import type { Product } from '../shared/product.ts'
import { messages } from './messages.ts'
import { SubscribeForm, type SubscribeFormProps } from './subscribe-form.tsx'

export type ComingSoonProps = { readonly product: Product } & Omit<
  SubscribeFormProps,
  'placeholder'
>

/** The page beneath the splash. */
export function ComingSoon({ product, ...form }: ComingSoonProps) {
  return (
    <div className="page">
      <header className="brand">
        <img
          src={`/${product.logo}`}
          alt={product.name}
          width="48"
          height="48"
          fetchPriority="low"
        />
        <span aria-hidden="true">{product.name}</span>
      </header>
      <main>
        <h1>{messages.heading}</h1>
        <p className="pitch">{product.pitch}</p>
        <SubscribeForm placeholder={product.emailPlaceholder} {...form} />
      </main>
      <div className="backdrop" />
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
