import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { answering } from '../client/answering.ts'
import { answerPath, FIELD_FRAGMENT, languagePath, paths } from '../shared/api.ts'
import type { Outcome } from '../shared/outcome.ts'
import type { PageWords } from '../words/page-words.ts'
import { MailIcon, StatusIcon } from './icons.tsx'
import { Question } from './question.tsx'
import { Share } from './share.tsx'
import { emailRule, type Subscribe, useSubscribe } from './use-subscribe.ts'

/** Whether a server takes the form without script; a static host does not. */
const LANGUAGES = import.meta.env.VITE_LANGUAGES === 'on'
const HAS_SERVER = import.meta.env.MODE !== 'firebase'

export interface SubscribeFormProps {
  readonly words: PageWords
  readonly subscribe: Subscribe
  /** How a submit without script ended, on the page that answers it. */
  readonly outcome?: Outcome | undefined
  /** What such a submit left in the fields, by their names. */
  readonly typed?: Readonly<Record<string, string>> | undefined
  /** Whether it is one quiet line, on the open page. */
  readonly quiet?: boolean | undefined
  /** Replaces the invitation at the same height, so that nothing moves while a visitor types. */
  readonly instead?: ReactNode
}

export function SubscribeForm({
  words,
  subscribe,
  outcome: initial,
  typed,
  quiet,
  instead,
}: SubscribeFormProps) {
  const { status, outcome, answers, submit } = useSubscribe(subscribe, initial)
  const input = useRef<HTMLInputElement>(null)
  const hadFocus = useRef(false)
  const blocked = status === 'loading' || status === 'success'
  const [works, setWorks] = useState(HAS_SERVER)
  const [domain, suggest] = useState('')
  const [before, after] = words.didYouMean.split('{domain}')

  // For the receipt.
  const isOpen = import.meta.env.VITE_CONFIRM === 'on' && quiet && (
    <input type="hidden" name="isOpen" value="true" />
  )

  useEffect(() => setWorks(true), [])

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // A disabled field loses the focus, so its place is remembered now.
    hadFocus.current = event.currentTarget.contains(document.activeElement)
    if (!blocked) submit(new FormData(event.currentTarget))
  }

  async function showSuggestion() {
    const rule = await emailRule()
    suggest(rule?.suggestDomain(input.current?.value ?? '') ?? '')
  }

  function takeSuggestion() {
    suggest('')
    if (!input.current) return
    input.current.value = input.current.value.replace(/[^@＠]*$/, domain)
    input.current.focus()
  }

  useEffect(() => {
    if (answers === 0 || !input.current) return
    if (outcome === 'subscribed') input.current.value = ''
    else if (hadFocus.current) input.current.focus()
    // A page that is enlarged may have no room for field and message. The thank-you comes where the form begins.
    const id = outcome === 'subscribed' ? 'invitation' : 'status'
    document.getElementById(id)?.scrollIntoView({ block: 'nearest' })
  }, [answers, outcome])

  const form = (
    // Without script the form posts or, on a static host, does nothing: that is what
    // `method="dialog"` does outside of a dialog. With script, our message replaces the browser's
    // validation bubble.
    <form
      className={quiet ? 'subscribe quiet' : 'subscribe'}
      data-status={status}
      aria-labelledby="invitation"
      method={HAS_SERVER ? 'post' : 'dialog'}
      action={
        HAS_SERVER
          ? (LANGUAGES ? languagePath(words.language ?? '') : '') + paths.subscribe + FIELD_FRAGMENT
          : undefined
      }
      noValidate
      onSubmit={onSubmit}
    >
      {instead}
      <p id="invitation" className="subscribe-invitation">
        {quiet ? words.openInvitation : words.invitation}
      </p>
      <div className="subscribe-row">
        <div className="subscribe-field">
          <MailIcon />
          <label htmlFor="email" className="visually-hidden">
            {words.label}
          </label>
          {/* Uncontrolled, so that text typed before hydration stays. */}
          <input
            ref={input}
            id="email"
            name="email"
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={words.placeholder}
            defaultValue={typed?.email}
            disabled={blocked}
            onInput={showSuggestion}
            aria-invalid={outcome === 'invalid-email' || undefined}
            aria-describedby="status"
          />
        </div>
        {HAS_SERVER && LANGUAGES ? (
          <>
            <input type="hidden" name="language" value={words.language} />
            {isOpen}
          </>
        ) : (
          isOpen
        )}
        {/* For robots, which fill every field. Password managers do not know its name. */}
        <p className="visually-hidden" aria-hidden="true">
          <label htmlFor="comment">{words.comment}</label>
          <input id="comment" name="comment" tabIndex={-1} autoComplete="off" />
        </p>
        <button type="submit" disabled={blocked || !works}>
          {status === 'loading' ? words.submitting : words.submit}
        </button>
      </div>
      <p id="status" className="subscribe-status" role="status">
        {!works && <noscript>{words.needsScript}</noscript>}
        {domain && status === 'idle' && (
          <button type="button" onClick={takeSuggestion}>
            {before}
            <u>{domain}</u>
            {after}
          </button>
        )}
        {outcome && (
          // A new key makes a screen reader read the same sentence again.
          <span key={answers}>
            <StatusIcon success={status === 'success'} />
            {/* Decided at the build: without confirmation, none of this is in the page. */}
            {import.meta.env.VITE_CONFIRM === 'on' ? (
              <span className="subscribe-text">
                <Sentences text={words.outcomes[outcome]} />
                {outcome === 'subscribed' && (
                  <span className="subscribe-letter">{words.letterSent}</span>
                )}
              </span>
            ) : (
              <Sentences text={words.outcomes[outcome]} />
            )}
          </span>
        )}
      </p>
    </form>
  )
  // Decided at the build, as the path is.
  const isMore = import.meta.env.VITE_QUESTION === 'page' || import.meta.env.VITE_SHARE
  if (!isMore || outcome !== 'subscribed') return form
  const path = LANGUAGES ? languagePath(words.language ?? '') : ''
  return (
    <>
      {form}
      {import.meta.env.VITE_QUESTION === 'page' && words.question && answering.token && (
        <Question words={words.question} action={`${path}${answerPath}/${answering.token}`} />
      )}
      {import.meta.env.VITE_SHARE && words.share && (
        <Share
          name={words.name}
          pitch={words.pitch}
          words={words.share}
          link={`${import.meta.env.VITE_SHARE}${path}/?ref=share-`}
        />
      )}
    </>
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
