import { domainOf, mailboxOf } from '../../shared/address-folding.ts'
import { isPublicProvider } from '../../shared/public-providers.ts'
import { heavyHitters } from './heavy-hitters.ts'

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
      domains.add(domainOf(email))
      mailboxes.add(mailboxOf(email))
    },
    crowds(): Crowd[] {
      const ofDomains = domains
        .most()
        .filter(
          ({ name, count }) =>
            count >= MANY_OF_A_DOMAIN &&
            count >= SHARE_OF_A_DOMAIN * total &&
            !isPublicProvider(name),
        )
      const ofMailboxes = mailboxes.most().filter(({ count }) => count >= MANY_OF_A_MAILBOX)
      return [
        ...ofDomains.slice(0, SHOWN).map((one) => ({ kind: 'domain' as const, ...one })),
        ...ofMailboxes.slice(0, SHOWN).map((one) => ({ kind: 'mailbox' as const, ...one })),
      ]
    },
  }
}
