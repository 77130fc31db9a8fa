import { domainOf } from '../../shared/address-folding.ts'
import type { DeliveryLedger } from '../../store/delivery-ledger.ts'
import type { Prospect } from '../outlook.ts'

/**
 * Google treats a sender of "close to 5,000 messages or more to personal Gmail accounts within a
 * 24-hour period", from one primary domain, as a bulk sender for ever (Email sender guidelines
 * FAQ). A tenth is left for mail that is not counted here: confirmations, tests, other mail of the
 * domain.
 */
export const MOST_TO_GMAIL = 4500

const DAY_MS = 86_400_000

/** Google's definition: other domains with mailboxes at Google do not count. */
const personalGmail = ['gmail.com', 'googlemail.com']

export function isGmail(email: string): boolean {
  return personalGmail.includes(domainOf(email))
}

export interface GmailRoom {
  /** How many more may be sent now. */
  readonly room: number
  /** When half of all may be sent again; now where there is room. */
  readonly freeAt: Date
}

/** How many were sent to Gmail in the last 24 hours, in all announcements. @throws StoreUnavailable */
export async function gmailRoom(
  ledger: Pick<DeliveryLedger, 'toldSince'>,
  now: Date,
  most: number,
): Promise<GmailRoom> {
  const times: number[] = []
  // Forgotten recipients may have had Gmail, so they count.
  for await (const { email, at } of ledger.toldSince(new Date(now.getTime() - DAY_MS)))
    if (email === undefined || isGmail(email)) times.push(at.getTime())
  times.sort((a, b) => a - b)
  const room = Math.max(0, most - times.length)
  const last = times[times.length - Math.floor(most / 2) - 1] ?? times[0]
  const freeAt = room > 0 || last === undefined ? now.getTime() : last + DAY_MS
  return { room, freeAt: new Date(freeAt) }
}

/**
 * How many of the next recipients may be tried for the first time before there is one too many for
 * Gmail.
 */
export async function untilGmailIsFull(
  people: AsyncIterable<Prospect>,
  untried: number,
  room: number,
): Promise<number> {
  let left = room
  let first = 0
  const gmail: number[] = []
  for await (const { email, turn } of people) {
    if (turn === 'again' && isGmail(email)) left -= 1
    if (turn !== 'first') continue
    if (isGmail(email) && gmail.length <= room) gmail.push(first)
    first += 1
  }
  return Math.min(untried, gmail[Math.max(0, left)] ?? untried)
}

/**
 * Whether the limit could not be reached even if everybody had Gmail. Reads no rows.
 *
 * @throws StoreUnavailable
 */
export async function isFarBelow(
  ledger: Pick<DeliveryLedger, 'announcements' | 'tally'>,
  untried: number,
  most: number,
): Promise<boolean> {
  let told = untried
  for (const { id } of await ledger.announcements()) {
    const tally = await ledger.tally(id)
    const { sent, uncertain, sending, forgotten } = tally
    told += sent + uncertain + sending + forgotten + tally.queued - tally.untried
  }
  return told <= most
}
