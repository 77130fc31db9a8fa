/** Why an announcement stopped by itself. */
export type PaceStop = 'failing' | 'leaving' | 'unready' | 'mail'

/** How an announcement is sent, kept with it. */
export interface Pace {
  /** As `rateText` gives it: `2000/h`. */
  readonly rate: string
  /** What failed, and who left, counts of letters since then; left out, of all. */
  readonly countedFrom?: Date | undefined
  /** Why it stopped, until it goes on. */
  readonly stopped?: PaceStop | undefined
  /** Whether the page was seen open before a letter left. */
  readonly sawOpen?: boolean | undefined
}

/** One line of text, as it is kept. */
export const paceText = (pace: Pace) => JSON.stringify(pace)

/** @param text as `paceText` made it. @returns `undefined` for anything else */
export function paceFrom(text: unknown): Pace | undefined {
  if (typeof text !== 'string') return undefined
  const { countedFrom, ...pace } = JSON.parse(text)
  return { ...pace, ...(countedFrom && { countedFrom: new Date(countedFrom) }) }
}
