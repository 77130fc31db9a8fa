import { plainLine } from '../shared/plain-line.ts'

const LONGEST = 500

/**
 * What another tool noted of a consent, as its file says it, in a line. It is no receipt of ours.
 */
export function evidenceIn(extra: Readonly<Record<string, unknown>> | undefined) {
  const line = extra?.evidence
  return typeof line === 'string' && line !== '' ? plainLine(line, LONGEST) : undefined
}
