import type { DeliveryLedger, DeliveryStatus } from '../store/delivery-ledger.ts'
import { exitCodes, type Out, Trouble } from './out.ts'
import { counted, localTime } from './words.ts'

export interface DeliveriesOptions {
  readonly announcement: string
  readonly status?: DeliveryStatus
  readonly json?: boolean
}

/** `deliveries`: who is where in an announcement. */
export async function deliveries(store: DeliveryLedger, options: DeliveriesOptions, out: Out) {
  const { announcement, status, json } = options
  if (!(await store.findAnnouncement(announcement))) {
    const known = (await store.announcements()).map(({ id }) => id)
    const which = known.length > 0 ? `There is ${known.join(', ')}.` : 'There is none yet.'
    throw new Trouble(`There is no announcement "${announcement}". ${which}`)
  }
  let count = 0
  for await (const row of store.deliveries(announcement, status)) {
    count += 1
    if (json) await out.write(`${JSON.stringify({ ...row, email: row.email ?? null })}\n`)
    else {
      const { style } = out
      const mark = { sent: style.green, failed: style.red, uncertain: style.yellow }
      const paint = mark[row.status as keyof typeof mark] ?? style.dim
      const answer = row.answer ? style.dim(`  ${row.answer}`) : ''
      const time = style.dim(localTime(row.changedAt))
      const who = row.email ?? style.dim('(forgotten)')
      await out.write(`${time}  ${paint(row.status.padEnd(10))}  ${who}${answer}\n`)
    }
  }
  if (!json) out.say(`${counted(count, 'row')}.`)
  return exitCodes.done
}
