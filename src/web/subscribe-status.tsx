import type { Outcome } from '../shared/outcome.ts'
import type { PageWords } from '../words/page-words.ts'
import { StatusIcon } from './icons.tsx'

interface SuggestionProps {
  readonly words: PageWords
  readonly domain: string
  readonly take: () => void
}

export function Suggestion({ words, domain, take }: SuggestionProps) {
  const [before, after] = words.didYouMean.split('{domain}')
  return (
    <button type="button" onClick={take}>
      {before}
      <u>{domain}</u>
      {after}
    </button>
  )
}

interface AnswerProps {
  readonly words: PageWords
  readonly outcome: Outcome
}

export function Answer({ words, outcome }: AnswerProps) {
  const isDone = outcome === 'subscribed'
  const text = <Sentences text={words.outcomes[outcome]} />
  return (
    <span>
      <StatusIcon success={isDone} />
      {/* Decided at the build: without confirmation, none of this is in the page. */}
      {import.meta.env.VITE_CONFIRM === 'on' ? (
        <span className="subscribe-text">
          {text}
          {isDone && <span className="subscribe-letter">{words.letterSent}</span>}
        </span>
      ) : (
        text
      )}
    </span>
  )
}

/** Each in a box of its own: a thank-you that needs a second line breaks between them. */
const Sentences = ({ text }: { readonly text: string }) => (
  <span>
    {text.match(/.+?(?:[.!?] |。|$)/g)?.flatMap((sentence) => [
      <span key={sentence} className="sentence">
        {sentence.trim()}
      </span>,
      sentence.endsWith(' ') && ' ',
    ])}
  </span>
)
