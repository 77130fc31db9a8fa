import type { Finding } from '../shared/finding.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { findingLines } from '../terminal/finding-lines.ts'
import type { Out } from '../terminal/out.ts'

/**
 * Prints what a command looked for, a line each. @param json printed instead, unless left out.
 * @returns the exit code.
 */
export async function sayFindings(findings: readonly Finding[], json: unknown, out: Out) {
  const isGood = findings.every(({ verdict }) => verdict !== 'problem' && verdict !== 'fatal')
  await out.write(`${json ? JSON.stringify(json) : findingLines(findings, out.style)}\n`)
  return isGood ? exitCodes.done : exitCodes.failed
}
