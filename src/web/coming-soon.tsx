import type { PageWords } from '../words/page-words.ts'
import { Countdown } from './countdown.tsx'
import { ArrowIcon } from './icons.tsx'
import { SubscribeForm, type SubscribeFormProps } from './subscribe-form.tsx'
import { useOpening } from './use-opening.ts'

export type ComingSoonProps = {
  readonly words: PageWords
  /** Where the button leads, once the page is open. */
  readonly open?: string | undefined
} & Omit<SubscribeFormProps, 'words' | 'quiet' | 'instead'>

/** What the page beneath the splash says, Coming Soon or open. */
export function ComingSoon({ words, open, ...form }: ComingSoonProps) {
  const { url, isTyping } = useOpening(words.openTitle, open)
  const button = url && (
    <a className="go" href={url}>
      <span>{words.openButton}</span>
      <ArrowIcon />
    </a>
  )
  return (
    <>
      <h1 aria-live="polite">{url ? words.openHeading : words.heading}</h1>
      <p className="pitch">{words.pitch}</p>
      {!isTyping && button}
      <SubscribeForm
        words={words}
        quiet={!!url && !isTyping}
        instead={isTyping ? button : null}
        {...form}
      />
      {(!url || isTyping) && import.meta.env.VITE_OPENS_AT && words.countdown && (
        <Countdown words={words.countdown} />
      )}
    </>
  )
}
