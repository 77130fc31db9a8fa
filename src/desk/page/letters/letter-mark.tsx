import { counted } from '../../../shared/counted.ts'
import { say } from '../../../shared/say.ts'
import type { LetterState } from '../../contract/letters.ts'
import { stateWords } from './letter-words.ts'

interface MarkProps {
  readonly state: LetterState
  /** How many are in a letter that was not sent. */
  readonly mistakes?: number
  readonly told?: number
  /** How many were to be told. */
  readonly of?: number
}

/** How far a letter is: a dot and the words. */
export function LetterMark({ state, mistakes = 0, told = 0, of = 0 }: MarkProps) {
  const isMistaken = mistakes > 0 && state === 'unsent'
  const isLacking = state === 'told' && (told < of || told === 0)
  const words = isLacking && told === 0 ? say('sent to nobody') : say(stateWords[state])
  return (
    <span className="mark" data-letter={isMistaken || isLacking ? 'mistaken' : state}>
      <span className="dot" />
      {isMistaken ? counted(mistakes, 'mistake') : words}
    </span>
  )
}
