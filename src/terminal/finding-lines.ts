import type { Finding } from '../shared/finding.ts'
import type { Style } from './style.ts'
import { columns } from './words.ts'

/** A line for each check. */
export function findingLines(findings: readonly Finding[], style: Style): string {
  const marks = {
    fine: style.green('ok     '),
    note: style.yellow('note   '),
    unknown: style.dim('unknown'),
    problem: style.yellow('PROBLEM'),
    fatal: style.red('PROBLEM'),
  }
  return columns(findings.map(({ what, verdict, detail }) => [marks[verdict], what, detail]))
}
