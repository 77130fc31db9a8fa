import { domainOf, mailboxOf } from '../shared/address-folding.ts'
import { commonest } from '../shared/commonest.ts'
import { isPublicProvider } from '../shared/public-providers.ts'
import type { SubscriberList } from '../store/store.ts'

/** A domain or mailbox with suspiciously many sign-ups. */
export interface Crowd {
  readonly kind: 'domain' | 'mailbox'
  readonly name: string
  /** Number of sign-ups: a lower bound, and exact while all names fit into the counter. */
  readonly count: number
}

/** Whether an address is one of those that a crowd is made of. */
export function isOf({ kind, name }: Crowd, email: string): boolean {
  return (kind === 'domain' ? domainOf(email) : mailboxOf(email)) === name
}

const MANY_OF_A_DOMAIN = 50
const SHARE_OF_A_DOMAIN = 0.05
const MANY_OF_A_MAILBOX = 5
const SHOWN = 3
/** Names, in bounded memory. */
const COUNTED = 2000

/**
 * Detects floods among sign-ups: many addresses at one domain that is no public provider, or many
 * addresses of one mailbox. Memory is bounded.
 */
export function crowdWatch() {
  const [domains, mailboxes] = [commonest(COUNTED), commonest(COUNTED)]
  let total = 0
  return {
    see(email: string) {
      total += 1
      domains.add(domainOf(email))
      mailboxes.add(mailboxOf(email))
    },
    crowds(): Crowd[] {
      const many = Math.max(MANY_OF_A_DOMAIN, SHARE_OF_A_DOMAIN * total)
      const ofDomains = domains
        .names()
        .filter(([name, count]) => count >= many && !isPublicProvider(name))
      const ofMailboxes = mailboxes.names().filter(([, count]) => count >= MANY_OF_A_MAILBOX)
      return [
        ...ofDomains
          .slice(0, SHOWN)
          .map(([name, count]) => ({ kind: 'domain' as const, name, count })),
        ...ofMailboxes
          .slice(0, SHOWN)
          .map(([name, count]) => ({ kind: 'mailbox' as const, name, count })),
      ]
    },
  }
}

/**
 * Floods since a time, of those who would be mailed, as `list` shows them, with exact counts.
 * @throws StoreUnavailable
 */
export async function crowdsSince(
  list: Pick<SubscriberList, 'signedUpSince'>,
  time: Date,
): Promise<Crowd[]> {
  const watch = crowdWatch()
  for await (const email of list.signedUpSince(time)) watch.see(email)
  const found = watch.crowds()
  // What was found is a lower bound where there are many names, so a second look counts it.
  if (found.length === 0) return []
  const counts = found.map(() => 0)
  for await (const email of list.signedUpSince(time))
    for (const [i, crowd] of found.entries())
      if (isOf(crowd, email)) counts[i] = (counts[i] ?? 0) + 1
  return found.map((crowd, i) => ({ ...crowd, count: counts[i] ?? 0 }))
}
