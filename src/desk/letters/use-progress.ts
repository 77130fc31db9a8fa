import { useEffect, useState } from 'react'
import type { LetterProgress } from '../../shared/desk-letters.ts'
import { deskPaths } from '../../shared/desk-pages.ts'
import { setLiveStatus } from '../live.ts'
import { isRunning } from './letter-words.ts'

const RUNNING_MS = 1000
/** Another tab or the command line may begin. */
const STILL_MS = 5000

/** How far the announcement is: as the page was made, then asked again and again while it is seen. */
export function useProgress(name: string, first: LetterProgress): LetterProgress {
  const [progress, setProgress] = useState(first)

  useEffect(() => {
    let timer: number | undefined
    let isOver = false
    let last = first

    async function look() {
      if (document.visibilityState === 'visible') {
        const next = await ask(name)
        if (isOver) return
        setLiveStatus(next ? { status: 'live', at: Date.now() } : { status: 'reconnecting' })
        if (next) {
          // What may be pressed is another then: the page is made anew, where nobody is typing.
          if (isRunning(next.state) !== isRunning(last.state) && !isTyping()) {
            location.reload()
            return
          }
          last = next
          setProgress(next)
        }
      }
      timer = window.setTimeout(look, isRunning(last.state) ? RUNNING_MS : STILL_MS)
    }
    timer = window.setTimeout(look, isRunning(first.state) ? RUNNING_MS : STILL_MS)
    return () => {
      isOver = true
      window.clearTimeout(timer)
      setLiveStatus({ status: 'still' })
    }
  }, [name, first])

  return progress
}

async function ask(name: string): Promise<LetterProgress | undefined> {
  try {
    const answer = await fetch(`${deskPaths.letters}/${name}/progress`)
    return answer.ok ? ((await answer.json()) as LetterProgress) : undefined
  } catch {
    return undefined
  }
}

function isTyping(): boolean {
  const { activeElement } = document
  return activeElement instanceof HTMLInputElement && activeElement.value !== ''
}
