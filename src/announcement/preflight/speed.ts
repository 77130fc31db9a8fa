import type { Claiming } from '../../store/delivery-ledger.ts'
import type { Store } from '../../store/store.ts'

/** MAIL FROM, RCPT TO, DATA and the final dot are each answered before the next is sent. */
const SMTP_ROUND_TRIPS = 4
const LOOKS = 3

export interface SpeedOptions {
  /** Messages a second, as asked for. */
  readonly rate: number
  /** How many messages the mail server is sent at the same time. */
  readonly connections: number
  /** How rows are claimed in the store. */
  readonly claiming: Claiming
  /** How long, in milliseconds, each takes for an answer. */
  readonly roundTrip: { readonly store: number; readonly mailServer: number }
}

export interface Speed {
  /** Messages a second. */
  readonly perSecond: number
  /** What limits it. */
  readonly limit: 'rate' | 'database' | 'mail server'
}

/** How fast messages can leave at best, if only round trips take time. */
export function speedOf({ rate, connections, claiming, roundTrip }: SpeedOptions): Speed {
  // During one claim, the other half of the rows leaves.
  const claimed = (connections + claiming.ahead) / 2
  const limits = [
    { limit: 'rate', perSecond: rate },
    { limit: 'database', perSecond: perSecond(claimed, claiming.roundTrips * roundTrip.store) },
    {
      limit: 'mail server',
      perSecond: perSecond(connections, SMTP_ROUND_TRIPS * roundTrip.mailServer),
    },
  ] as const
  return limits.reduce((least, one) => (one.perSecond < least.perSecond ? one : least))
}

/** How long the store takes for its smallest request, in milliseconds. @throws StoreUnavailable */
export async function roundTripTo(store: Pick<Store, 'checkWritable'>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  // The first may have to connect, so the quickest counts.
  for (let n = 0; n < LOOKS; n += 1) {
    const began = performance.now()
    await store.checkWritable()
    least = Math.min(least, performance.now() - began)
  }
  return least
}

function perSecond(messages: number, milliseconds: number): number {
  return (messages * 1000) / milliseconds
}
