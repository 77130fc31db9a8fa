import { mailboxOf } from '../../shared/mailbox.ts'
import { publicProviders } from '../../shared/public-providers.ts'

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
const COUNTERS = 2_000

/**
 * Detects floods among sign-ups: many addresses at one domain that is no public provider, or many
 * addresses of one mailbox. Memory is bounded.
 */
export function crowdWatch() {
  const domains = heavyHitters()
  const mailboxes = heavyHitters()
  let total = 0
  return {
    see(email: string) {
      total += 1
      domains.add(email.slice(email.lastIndexOf('@') + 1))
      mailboxes.add(mailboxOf(email))
    },
    crowds(): Crowd[] {
      const ofDomains = domains
        .most()
        .filter(
          ({ name, count }) =>
            count >= MANY_OF_A_DOMAIN &&
            count >= SHARE_OF_A_DOMAIN * total &&
            !publicProviders.has(name),
        )
      const ofMailboxes = mailboxes.most().filter(({ count }) => count >= MANY_OF_A_MAILBOX)
      return [
        ...ofDomains.slice(0, SHOWN).map((one) => ({ kind: 'domain' as const, ...one })),
        ...ofMailboxes.slice(0, SHOWN).map((one) => ({ kind: 'mailbox' as const, ...one })),
      ]
    },
  }
}

/** Counts names with the Misra-Gries algorithm: finds the frequent ones in bounded memory. */
function heavyHitters() {
  const counts = new Map<string, number>()
  return {
    add(name: string) {
      const count = counts.get(name)
      if (count !== undefined || counts.size < COUNTERS) counts.set(name, (count ?? 0) + 1)
      else
        for (const [known, count] of counts)
          if (count > 1) counts.set(known, count - 1)
          else counts.delete(known)
    },
    most: () =>
      [...counts].map(([name, count]) => ({ name, count })).toSorted((a, b) => b.count - a.count),
  }
}
