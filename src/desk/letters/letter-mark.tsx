import type { LetterState } from '../../shared/desk-letters.ts'
import { stateWords } from './letter-words.ts'

/** How far a letter is: a dot and the words. */
export function LetterMark({ state }: { readonly state: LetterState }) {
  return (
    <span className="mark" data-letter={state}>
      <span className="mark-dot" />
      {stateWords[state]}
    </span>
  )
}
