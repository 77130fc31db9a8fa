import { useState } from 'react'
import { parseEmail } from '../shared/email.ts'
import type { Outcome } from '../shared/outcome.ts'

export type Status = 'idle' | 'loading' | 'success' | 'error'
/**
 * @param comment the value of the field that people do not see. @param isOpen whether the page is
 *   the
 * open one.
 */
export type Subscribe = (email: string, comment: string, isOpen?: boolean) => Promise<Outcome>

interface State {
  /** How the latest attempt ended; none before the first and while one is under way. */
  readonly outcome: Outcome | undefined
  readonly loading: boolean
  /** Number of answers so far, so that a repeated answer counts as new. */
  readonly answers: number
}

/** The form's four states: idle -> loading -> success | error. */
export function useSubscribe(subscribe: Subscribe, initial: Outcome | undefined) {
  const [state, setState] = useState<State>({ outcome: initial, loading: false, answers: 0 })

  const end = (outcome: Outcome) =>
    setState(({ answers }) => ({ outcome, loading: false, answers: answers + 1 }))

  async function submit(...[input, comment, isOpen]: Parameters<Subscribe>) {
    const email = parseEmail(input)
    if (email === undefined) return end('invalid-email')
    setState((before) => ({ ...before, outcome: undefined, loading: true }))
    end(await subscribe(email, comment, isOpen))
  }

  return { status: statusOf(state), outcome: state.outcome, answers: state.answers, submit }
}

function statusOf({ loading, outcome }: State): Status {
  if (loading) return 'loading'
  if (outcome === undefined) return 'idle'
  return outcome === 'subscribed' ? 'success' : 'error'
}
