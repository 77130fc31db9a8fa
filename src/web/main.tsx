import { hydrateRoot } from 'react-dom/client'
import { connect } from '../client/connect.ts'
import type { Outcome } from '../shared/outcome.ts'
import { fromWordList } from '../words/word-list.ts'
import { ComingSoon } from './coming-soon.tsx'

const root = document.getElementById('root') as HTMLElement
const words = fromWordList(document.getElementById('words')?.textContent ?? '')

hydrateRoot(
  root,
  <ComingSoon
    words={words}
    subscribe={connect(() => Number(root.dataset.since ?? performance.now()))}
    open={root.dataset.open}
    outcome={root.dataset.outcome as Outcome | undefined}
  />,
)

// Tells the inline script that this one runs.
root.dataset.script = 'runs'
