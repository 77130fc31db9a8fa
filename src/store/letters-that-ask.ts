import { rules } from '../features/all-rules.ts'
import type { LetterThatAsks } from '../shared/feature-rules.ts'

export const lettersThatAsk: readonly LetterThatAsks[] = rules.flatMap(({ letter }) => letter ?? [])

/** What an announcement of this name asks; nothing of one that tells news. */
export const askedBy = (announcement: string): LetterThatAsks | undefined =>
  lettersThatAsk.find(({ name }) => `${announcement}-`.startsWith(`${name}-`))

/** Whether an announcement of this name asks those who have heard nothing for long. */
export const asksTheSilent = (announcement: string): boolean =>
  askedBy(announcement)?.isToTheSilent === true
