import { connect } from '../client/connect.ts'
import type { Outcome } from '../shared/outcome.ts'
import { fromWordList } from '../words/word-list.ts'
import { ComingSoon } from './coming-soon.tsx'
import { keepSource } from './other-languages.ts'
import { takeOver } from './take-over.ts'

const root = document.getElementById('root') as HTMLElement
const words = fromWordList(document.getElementById('words')?.textContent ?? '')

takeOver(
  root.querySelector('main') as Element,
  <ComingSoon
    words={words}
    subscribe={connect(() => Number(root.dataset.since ?? performance.now()))}
    open={root.dataset.open}
    outcome={root.dataset.outcome as Outcome | undefined}
  />,
)
if (import.meta.env.VITE_LANGUAGES === 'on') keepSource(root)

// Tells the inline script that this one runs.
root.dataset.script = 'runs'
