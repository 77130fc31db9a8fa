import { useEffect, useState } from 'react'
import { isRunning, type LetterProgress } from '../../contract/letters.ts'
import { deskPaths } from '../../contract/pages.ts'
import { listen } from '../listen.ts'
import { useShell } from '../parts/view.ts'

/** How far the announcement is: first as the page has it, then as the server's events say. */
export function useProgress(name: string, first: LetterProgress): LetterProgress {
  const { events } = useShell()
  const [progress, setProgress] = useState(first)

  useEffect(() => {
    let last = first
    return listen<LetterProgress>(events, `letter:${name}`, (next) => {
      // The page has other buttons then, so it is loaded again, unless the operator is typing.
      if (isRunning(next.state) !== isRunning(last.state) && !isTyping()) {
        // Not `reload`: if the page answered a form, the form would be sent again.
        location.replace(`${deskPaths.letters}/${name}`)
        return
      }
      last = next
      setProgress(next)
    })
  }, [events, name, first])

  return progress
}

function isTyping(): boolean {
  const { activeElement } = document
  return activeElement instanceof HTMLInputElement && activeElement.value !== ''
}
