import type { Product } from '../shared/product.ts'
import { Countdown } from './countdown.tsx'
import { ArrowIcon } from './icons.tsx'
import { messages, openMessages } from './messages.ts'
import { SubscribeForm, type SubscribeFormProps } from './subscribe-form.tsx'
import { useOpening } from './use-opening.ts'

export type ComingSoonProps = {
  readonly product: Product
  /** Where the button leads, once the page is open. */
  readonly open?: string | undefined
} & Omit<SubscribeFormProps, 'placeholder' | 'quiet' | 'instead'>

/** The page beneath the splash; also once it is open. */
export function ComingSoon({ product, open, ...form }: ComingSoonProps) {
  const { url, isTyping } = useOpening(product, open)
  const button = url && (
    <a className="go" href={url}>
      {`${openMessages.button} ${product.name}`}
      <ArrowIcon />
    </a>
  )
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
        <h1 aria-live="polite">{url ? openMessages.heading : messages.heading}</h1>
        <p className="pitch">{product.pitch}</p>
        {(!url || isTyping) && import.meta.env.VITE_OPENS_AT && <Countdown />}
        {!isTyping && button}
        <SubscribeForm
          placeholder={product.emailPlaceholder}
          quiet={!!url && !isTyping}
          instead={isTyping ? button : null}
          {...form}
        />
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
