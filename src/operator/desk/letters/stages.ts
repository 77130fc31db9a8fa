import type { RecipientSelection } from '../../../announcement/recipient-selection.ts'
import type { LetterStage } from '../../../shared/desk-letters.ts'
import { readFirst } from '../../announce/announce-numbers.ts'

/** What a run may be told to send to. */
export type Stage = LetterStage

const ONE_PER_CENT = '1%'

const options: Readonly<Record<Stage, readonly string[]>> = {
  'one-per-cent': [`--first=${ONE_PER_CENT}`],
  everyone: [],
  newcomers: ['--include-new'],
  failed: ['--retry=failed'],
  uncertain: ['--retry=uncertain'],
}

/** What the command is told for a stage. */
export const optionsOf = (stage: Stage) => options[stage]

export function isStage(text: unknown): text is Stage {
  return typeof text === 'string' && Object.hasOwn(options, text)
}

export const onePerCent = readFirst(ONE_PER_CENT)

/** Whom a stage is for, before it is cut to its size. */
export function selectionOf(
  id: string,
  stage: Stage,
  also: readonly string[],
): Omit<RecipientSelection, 'first'> {
  const selection = { id, ...(also.length > 0 && { alsoWhoGot: also }) }
  if (stage === 'newcomers') return { ...selection, includeNew: true }
  return stage === 'failed' || stage === 'uncertain' ? { ...selection, retry: stage } : selection
}
