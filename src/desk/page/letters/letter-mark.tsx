import type { LetterState } from '../../contract/letters.ts'
import { mistakesInWords, stateWords } from './letter-words.ts'

interface MarkProps {
  readonly state: LetterState
  /** How many are in a letter that was not sent. */
  readonly mistakes?: number
}

/** How far a letter is: a dot and the words. */
export function LetterMark({ state, mistakes = 0 }: MarkProps) {
  const isMistaken = mistakes > 0 && state === 'unsent'
  return (
    <span className="mark" data-letter={isMistaken ? 'mistaken' : state}>
      <span className="dot" />
      {isMistaken ? mistakesInWords(mistakes) : stateWords[state]}
    </span>
  )
}
