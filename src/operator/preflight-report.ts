import type { Finding } from '../announcement/sender-records.ts'
import type { Out } from './out.ts'
import { columns } from './words.ts'

/** Shows what was found. @returns whether it lets us send. */
export function reportPreflight(findings: readonly Finding[], force: boolean, out: Out): boolean {
  const { green, red, yellow, dim } = out.style
  const marks = {
    fine: green('ok     '),
    unknown: dim('unknown'),
    problem: yellow('PROBLEM'),
    fatal: red('PROBLEM'),
  }
  out.say(columns(findings.map(({ what, verdict, detail }) => [marks[verdict], what, detail])))
  const has = (verdict: Finding['verdict']) => findings.some((one) => one.verdict === verdict)
  if (has('fatal')) out.say('Nothing is sent until that works.')
  else if (has('problem') && force) out.say('Going on in spite of that, because of --force.')
  else if (has('problem')) out.say('Nothing is sent. Put that right, or override it with --force.')
  return !has('fatal') && (force || !has('problem'))
}
