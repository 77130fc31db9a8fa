import type { PageWords } from '../words/page-words.ts'
import { Countdown } from './countdown.tsx'
import { ArrowIcon } from './icons.tsx'
import { languageOf } from './other-languages.tsx'
import { SubscribeForm, type SubscribeFormProps } from './subscribe-form.tsx'
import { useOpening } from './use-opening.ts'

const LANGUAGES = import.meta.env.VITE_LANGUAGES === 'on'

export type ComingSoonProps = {
  readonly words: PageWords
  /** Where the button leads, once the page is open. */
  readonly open?: string | undefined
} & Omit<SubscribeFormProps, 'words' | 'quiet' | 'instead'>

/** The page beneath the splash, Coming Soon or open. */
export function ComingSoon({ words, open, ...form }: ComingSoonProps) {
  const { url, isTyping } = useOpening(words.openTitle, open)
  const button = url && (
    <a className="go" href={url}>
      {words.openButton}
      <ArrowIcon />
    </a>
  )
  return (
    <div className="page">
      <header className="brand">
        <img src={`/${words.logo}`} alt={words.name} width="48" height="48" fetchPriority="low" />
        <span aria-hidden="true">{words.name}</span>
      </header>
      <main>
        <h1 aria-live="polite">{url ? words.openHeading : words.heading}</h1>
        <p className="pitch">{words.pitch}</p>
        {(!url || isTyping) && import.meta.env.VITE_OPENS_AT && words.countdown && (
          <Countdown words={words.countdown} />
        )}
        {!isTyping && button}
        <SubscribeForm
          words={words}
          quiet={!!url && !isTyping}
          instead={isTyping ? button : null}
          {...form}
        />
      </main>
      <div className="backdrop">
        <i />
      </div>
      {words.links && (
        <footer className="footer">
          {Object.entries(words.links).map(([text, target]) => (
            <a key={text} href={target} {...(LANGUAGES ? languageOf(words, target) : {})}>
              {text}
            </a>
          ))}
        </footer>
      )}
    </div>
  )
}
