import type { SubscriberList } from '../store/subscriber-list.ts'
import { exitCodes, type Out } from './out.ts'
import { type TimeOptions, timeRange } from './time-range.ts'
import { counted, localTime } from './words.ts'

export interface ListOptions extends TimeOptions {
  readonly json?: boolean
}

/** `list`: everybody in order of sign-up, for reading. */
export async function list(store: SubscriberList, options: ListOptions, out: Out) {
  let count = 0
  for await (const { email, subscribedAt } of store.stream(timeRange(options))) {
    count += 1
    await out.write(
      options.json
        ? `${JSON.stringify({ email, subscribedAt })}\n`
        : `${out.style.dim(localTime(subscribedAt))}  ${email}\n`,
    )
  }
  if (!options.json) out.say(`${counted(count, 'subscriber')}.`)
  return exitCodes.done
}
