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
 * Floods since a time, of those who would be mailed.
 * @throws StoreUnavailable
 */
export async function crowdsSince(
  list: Pick<SubscriberList, 'signedUpSince'>,
  time: Date,
): Promise<Crowd[]> {
  const watch = crowdWatch()
  for await (const email of list.signedUpSince(time)) watch.see(email)
  return watch.crowds()
}
