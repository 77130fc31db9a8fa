import type { Delivery } from '../store/delivery-ledger.ts'
import type { Out } from './out.ts'
import { answerInWords, reasonInWords } from './standing-words.ts'
import { localTime } from './words.ts'

/** One row of an announcement, for reading. */
export function deliveryLine(row: Delivery, { style }: Pick<Out, 'style'>) {
  const { status, email, changedAt, standing, language } = row
  // The mail server's answer to an earlier try is not the reason.
  const answer = standing ? reasonInWords(standing) : answerInWords(row.answer ?? '')
  const mark = { sent: style.green, failed: style.red, uncertain: style.yellow }
  const paint = mark[status as keyof typeof mark] ?? style.dim
  const who = email ?? style.dim('(forgotten)')
  const said = answer ? style.dim(`  ${answer}`) : ''
  const inWhich = language ? style.dim(`  in ${language}`) : ''
  return `${style.dim(localTime(changedAt))}  ${paint(status.padEnd(10))}  ${who}${inWhich}${said}\n`
}
