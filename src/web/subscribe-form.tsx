import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { AfterThanks } from '../features/page.tsx'
import { FIELD_FRAGMENT, languagePath, paths } from '../shared/api.ts'
import type { Outcome } from '../shared/outcome.ts'
import type { PageWords } from '../words/page-words.ts'
import { MailIcon } from './icons.tsx'
import { Answer, Suggestion } from './subscribe-status.tsx'
import { type Subscribe, useSubscribe, useSuggestion } from './use-subscribe.ts'

const LANGUAGES = import.meta.env.VITE_LANGUAGES === 'on'
/** Whether a server takes the form without script; a static host does not. */
const HAS_SERVER = import.meta.env.MODE !== 'firebase'
/** Whether anything comes after the thanks. */
const HAS_MORE = import.meta.env.VITE_QUESTION === 'page' || import.meta.env.VITE_SHARE

const pathOf = ({ language = '' }: PageWords) => (LANGUAGES ? languagePath(language) : '')

export interface SubscribeFormProps {
  readonly words: PageWords
  readonly subscribe: Subscribe
  /** How a submit without script ended, on the page that answers it. */
  readonly outcome?: Outcome | undefined
  /** What such a submit left in the fields, by their names. */
  readonly typed?: Readonly<Record<string, string>> | undefined
  /** Whether it is one quiet line, on the open page. */
  readonly quiet?: boolean | undefined
  /** Replaces the offer at the same height, so that nothing moves while a visitor types. */
  readonly instead?: ReactNode
}

export function SubscribeForm(props: SubscribeFormProps) {
  const { words, subscribe, outcome: initial, quiet, instead } = props
  const { status, outcome, answers, submit } = useSubscribe(subscribe, initial)
  const input = useRef<HTMLInputElement>(null)
  const hadFocus = useAnswerInView(input, answers, outcome)
  const { domain, show, take } = useSuggestion(input)
  const blocked = status === 'loading' || status === 'success'
  const [works, setWorks] = useState(HAS_SERVER)
  useEffect(() => setWorks(true), [])

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // A disabled field loses the focus, so its place is remembered now.
    hadFocus.current = event.currentTarget.contains(document.activeElement)
    if (!blocked) submit(new FormData(event.currentTarget))
  }

  const form = (
    // Without script the form posts or, on a static host, does nothing: that is what
    // `method="dialog"` does outside of a dialog. With script, our message replaces the browser's
    // validation bubble.
    <form
      className={quiet ? 'subscribe quiet' : 'subscribe'}
      data-status={status}
      aria-labelledby="offer"
      method={HAS_SERVER ? 'post' : 'dialog'}
      action={HAS_SERVER ? pathOf(words) + paths.subscribe + FIELD_FRAGMENT : undefined}
      noValidate
      onSubmit={onSubmit}
    >
      {instead}
      <p id="offer" className="subscribe-offer">
        {quiet ? words.openOffer : words.offer}
      </p>
      <div className="subscribe-row">
        <Fields {...props} outcome={outcome} input={input} blocked={blocked} onInput={show} />
        <button type="submit" disabled={blocked || !works}>
          {status === 'loading' ? words.submitting : words.submit}
        </button>
      </div>
      <p id="status" className="subscribe-status" role="status">
        {!works && <noscript>{words.needsScript}</noscript>}
        {domain && status === 'idle' && <Suggestion words={words} domain={domain} take={take} />}
        {/* A new key makes a screen reader read the same sentence again. */}
        {outcome && <Answer key={answers} words={words} outcome={outcome} />}
      </p>
    </form>
  )
  if (!HAS_MORE || outcome !== 'subscribed') return form
  return (
    <>
      {form}
      <AfterThanks words={words} path={pathOf(words)} />
    </>
  )
}

type Input = RefObject<HTMLInputElement | null>

/** Shows each answer to the visitor. @returns where to note whether the form has the focus. */
function useAnswerInView(input: Input, answers: number, outcome: Outcome | undefined) {
  const hadFocus = useRef(false)
  useEffect(() => {
    if (answers === 0 || !input.current) return
    if (outcome === 'subscribed') input.current.value = ''
    else if (hadFocus.current) input.current.focus()
    // A page that is enlarged may have no space for field and message. The thank-you comes where the form begins.
    const id = outcome === 'subscribed' ? 'offer' : 'status'
    document.getElementById(id)?.scrollIntoView({ block: 'nearest' })
  }, [answers, outcome, input])
  return hadFocus
}

interface FieldsProps extends Pick<SubscribeFormProps, 'words' | 'typed' | 'quiet' | 'outcome'> {
  readonly input: Input
  readonly blocked: boolean
  readonly onInput: () => void
}

function Fields({ words, typed, quiet, outcome, input, blocked, onInput }: FieldsProps) {
  return (
    <>
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
          onInput={onInput}
          aria-invalid={outcome === 'invalid-email' || undefined}
          aria-describedby="status"
        />
      </div>
      {HAS_SERVER && LANGUAGES && <input type="hidden" name="language" value={words.language} />}
      {/* For the receipt. */}
      {import.meta.env.VITE_CONFIRM === 'on' && quiet && (
        <input type="hidden" name="isOpen" value="true" />
      )}
      {/* For robots, which fill every field. Password managers do not know its name. */}
      <p className="visually-hidden" aria-hidden="true">
        <label htmlFor="comment">{words.comment}</label>
        <input id="comment" name="comment" tabIndex={-1} autoComplete="off" />
      </p>
    </>
  )
}
