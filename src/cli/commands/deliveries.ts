import type { Delivery, DeliveryStatus } from '../../store/delivery-ledger.ts'
import type { DeliveryLedger } from '../../store/store.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { answerInWords, reasonInWords } from '../../terminal/standing-words.ts'
import { counted, localTime } from '../../terminal/words.ts'
import { runWithStore } from '../run.ts'

export interface DeliveriesOptions {
  readonly announcement: string
  readonly status?: DeliveryStatus
  /** Only recipients who may not have the letter. */
  readonly notSent?: boolean
  readonly json?: boolean
}

/** @throws OperatorError where there is no such announcement, with those that there are. */
async function needAnnouncement(
  ledger: Pick<DeliveryLedger, 'announcements'>,
  id: string,
): Promise<void> {
  const known = (await ledger.announcements()).map((one) => one.id)
  if (known.includes(id)) return
  const which = known.length > 0 ? `The announcements: ${known.join(', ')}.` : 'There is none yet.'
  throw new OperatorError(`There is no announcement "${id}". ${which}`)
}

/** `deliveries`: lists the recipients of an announcement with their status. */
export async function deliveries(ledger: DeliveryLedger, options: DeliveriesOptions, out: Out) {
  const { announcement, status, notSent, json } = options
  await needAnnouncement(ledger, announcement)
  let count = 0
  for await (const row of ledger.deliveries(announcement, status)) {
    if (notSent && row.status === 'sent') continue
    count += 1
    if (json) await out.json({ ...row, email: row.email ?? null })
    else await out.write(deliveryLine(row, out))
  }
  if (!json) out.say(`${counted(count, 'row')}.`)
  return exitCodes.done
}

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

export const fromCommandLine = (
  options: Omit<DeliveriesOptions, 'announcement'> & { readonly output?: string },
  announcement: string,
) =>
  runWithStore({ ...options, looks: true }, (store, out) =>
    deliveries(store.ledger, { ...options, announcement }, out),
  )
