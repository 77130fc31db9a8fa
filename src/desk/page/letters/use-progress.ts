import { useEffect, useState } from 'react'
import { isRunning, type LetterProgress } from '../../contract/letters.ts'
import { deskPaths } from '../../contract/pages.ts'
import { listen } from '../listen.ts'

/** How far the announcement is: as the page was made, and then as the server says it. */
export function useProgress(name: string, first: LetterProgress): LetterProgress {
  const [progress, setProgress] = useState(first)

  useEffect(() => {
    let last = first
    return listen<LetterProgress>(`letter:${name}`, (next) => {
      // What may be pressed is another then: the page is made anew, where nobody is typing.
      if (isRunning(next.state) !== isRunning(last.state) && !isTyping()) {
        // Not loaded again: what answered a form would be sent once more.
        location.replace(`${deskPaths.letters}/${name}`)
        return
      }
      last = next
      setProgress(next)
    })
  }, [name, first])

  return progress
}

function isTyping(): boolean {
  const { activeElement } = document
  return activeElement instanceof HTMLInputElement && activeElement.value !== ''
}
