import { type RefObject, useState } from 'react'
import type { SubscribeBody } from '../shared/api.ts'
import type { Outcome } from '../shared/outcome.ts'
import { plainEmail } from '../shared/plain-email.ts'

export type Status = 'idle' | 'loading' | 'success' | 'error'
/** @param said what is in the form, with the address as `parseEmail` returns it. */
export type Subscribe = (said: SubscribeBody) => Promise<Outcome>

interface State {
  /** How the latest attempt ended; none before the first and while one is under way. */
  readonly outcome: Outcome | undefined
  readonly loading: boolean
  /** Number of answers so far, so that a repeated answer counts as new. */
  readonly answers: number
}

let rule: typeof import('./email-rule.ts') | undefined
const LONGEST_WAIT_MS = 5000

/**
 * The e-mail rule. It is loaded with the first letter that is typed: before that nobody needs it, and
 * a plain address does without it. @returns nothing where it cannot be had.
 */
async function emailRule() {
  rule ??= await Promise.race([
    import('./email-rule.ts').catch(() => undefined),
    new Promise<undefined>((resolve) => setTimeout(resolve, LONGEST_WAIT_MS)),
  ])
  return rule
}

/** The form's four states: idle -> loading -> success | error. */
export function useSubscribe(subscribe: Subscribe, initial: Outcome | undefined) {
  const [state, setState] = useState<State>({ outcome: initial, loading: false, answers: 0 })

  const end = (outcome: Outcome) =>
    setState(({ answers }) => ({ outcome, loading: false, answers: answers + 1 }))

  async function submit(form: FormData) {
    const { email: input, ...said } = Object.fromEntries(form) as unknown as SubscribeBody
    const start = () => setState((before) => ({ ...before, outcome: undefined, loading: true }))
    let email = plainEmail(input) ?? rule?.parseEmail(input)
    if (email === undefined && !rule) {
      start()
      const late = await emailRule()
      // Without the rule, who is written to judges the address.
      email = late ? late.parseEmail(input) : input.trim()
    }
    if (email === undefined) return end('invalid-email')
    start()
    end(await subscribe({ ...said, email }))
  }

  return { status: statusOf(state), outcome: state.outcome, answers: state.answers, submit }
}

function statusOf({ loading, outcome }: State): Status {
  if (loading) return 'loading'
  if (outcome === undefined) return 'idle'
  return outcome === 'subscribed' ? 'success' : 'error'
}

/** The domain that was meant where one was mistyped; empty for none. */
export function useSuggestion(input: RefObject<HTMLInputElement | null>) {
  const [domain, suggest] = useState('')

  async function show() {
    const rule = await emailRule()
    suggest(rule?.suggestDomain(input.current?.value ?? '') ?? '')
  }

  function take() {
    suggest('')
    if (!input.current) return
    input.current.value = input.current.value.replace(/[^@＠]*$/, domain)
    input.current.focus()
  }

  return { domain, show, take }
}
