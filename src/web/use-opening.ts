import { useEffect, useState } from 'react'
import { readClock } from '../client/server-clock.ts'
import { type OpeningBody, paths } from '../shared/api.ts'

interface State {
  /** Where the open page leads; none while it says Coming Soon. */
  readonly url?: string | undefined
  /** Whether it opened while the visitor was typing, who must not be interrupted. */
  readonly isTyping?: boolean
}

/**
 * Whether the page is open. A page in an open tab asks every few seconds while it is visible, at a
 * random moment.
 *
 * @param title of the open page. @param open where it leads, if it was open from the start.
 */
export function useOpening(title: string, open: string | undefined): State {
  const [state, turn] = useState<State>({ url: open })

  useEffect(() => {
    if (state.url) return
    let timer: ReturnType<typeof setTimeout>
    // After the first failure it asks soon. A server in trouble is not asked as often by everybody.
    let afterFailure = 1000
    const wait = (ms: number) => {
      clearTimeout(timer)
      timer = setTimeout(look, ms + Math.random() * 3000)
    }
    async function look() {
      if (document.hidden) return
      try {
        const asked = Date.now()
        const response = await fetch(paths.opening, {
          cache: 'no-cache',
          // A connection that stalls would end all asking. It costs no more time than a wait does.
          signal: AbortSignal.timeout(4000),
        })
        if (import.meta.env.VITE_OPENS_AT) readClock(response, asked)
        const { open }: OpeningBody = await response.json()
        if (open) {
          // Others may have put a form of theirs before ours.
          const form = document.querySelector<HTMLFormElement>('form.subscribe')
          const isTyping =
            form?.contains(document.activeElement) ||
            form?.email.value !== '' ||
            form.dataset.status !== 'idle'
          document.title = title
          turn({ url: open, isTyping })
        } else {
          afterFailure = 1000
          wait(5000)
        }
      } catch {
        wait(afterFailure)
        afterFailure = 20_000
      }
    }
    const onVisible = () => wait(0)
    document.addEventListener('visibilitychange', onVisible)
    wait(5000)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [state, title])

  return state
}
