import type { Delivery, DeliveryLedger, DeliveryStatus } from '../../store/delivery-ledger.ts'
import { exitCodes, type Out, Trouble } from '../terminal/out.ts'
import { reasonInWords } from '../terminal/standing-words.ts'
import { counted, localTime } from '../terminal/words.ts'

export interface DeliveriesOptions {
  readonly announcement: string
  readonly status?: DeliveryStatus
  /** Everybody who does not have the letter for sure. */
  readonly notSent?: boolean
  readonly json?: boolean
}

/** `deliveries`: who is where in an announcement. */
export async function deliveries(store: DeliveryLedger, options: DeliveriesOptions, out: Out) {
  const { announcement, status, notSent, json } = options
  if (!(await store.findAnnouncement(announcement))) {
    const known = (await store.announcements()).map(({ id }) => id)
    const which = known.length > 0 ? `There is ${known.join(', ')}.` : 'There is none yet.'
    throw new Trouble(`There is no announcement "${announcement}". ${which}`)
  }
  let count = 0
  for await (const row of store.deliveries(announcement, status)) {
    if (notSent && row.status === 'sent') continue
    count += 1
    if (json) await out.write(`${JSON.stringify({ ...row, email: row.email ?? null })}\n`)
    else await out.write(deliveryLine(row, out))
  }
  if (!json) out.say(`${counted(count, 'row')}.`)
  return exitCodes.done
}

/** One row for reading. */
export function deliveryLine(row: Delivery, { style }: Out) {
  const { status, email, changedAt, standing } = row
  const answer = row.answer ?? (standing && reasonInWords(standing))
  const mark = { sent: style.green, failed: style.red, uncertain: style.yellow }
  const paint = mark[status as keyof typeof mark] ?? style.dim
  const who = email ?? style.dim('(forgotten)')
  const said = answer ? style.dim(`  ${answer}`) : ''
  return `${style.dim(localTime(changedAt))}  ${paint(status.padEnd(10))}  ${who}${said}\n`
}
