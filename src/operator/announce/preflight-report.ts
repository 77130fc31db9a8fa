import type { Finding } from '../../shared/finding.ts'
import { findingLines } from '../terminal/finding-lines.ts'
import type { Out } from '../terminal/out.ts'

/**
 * Prints the findings.
 *
 * @param isForced which problems the operator passes over. @param isLater whether a wave was sent
 *   since the command was given. @returns whether sending is allowed.
 */
export function reportPreflight(
  findings: readonly Finding[],
  isForced: (problem: Finding) => boolean,
  out: Out,
  isLater = false,
): boolean {
  out.say(findingLines(findings, out.style))
  const isFatal = findings.some(({ verdict }) => verdict === 'fatal')
  const problems = findings.filter(({ verdict }) => verdict === 'problem')
  const mayGoOn = problems.every(isForced)
  if (isFatal) out.say('Nothing is sent until that works.')
  else if (!mayGoOn)
    out.say(
      isLater
        ? 'Nothing more is sent. Put that right, or give the same command again with --force: it passes over what is found when it is given.'
        : 'Nothing is sent. Put that right, or override it with --force.',
    )
  else if (problems.length > 0) out.say('Going on in spite of that, because of --force.')
  return !isFatal && mayGoOn
}
