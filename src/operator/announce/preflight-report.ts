import type { Finding } from '../../shared/finding.ts'
import { findingLines } from '../terminal/finding-lines.ts'
import type { Out } from '../terminal/out.ts'

/** Prints the findings. @returns whether sending is allowed. */
export function reportPreflight(findings: readonly Finding[], force: boolean, out: Out): boolean {
  out.say(findingLines(findings, out.style))
  const has = (verdict: Finding['verdict']) => findings.some((one) => one.verdict === verdict)
  if (has('fatal')) out.say('Nothing is sent until that works.')
  else if (has('problem') && force) out.say('Going on in spite of that, because of --force.')
  else if (has('problem')) out.say('Nothing is sent. Put that right, or override it with --force.')
  return !has('fatal') && (force || !has('problem'))
}
