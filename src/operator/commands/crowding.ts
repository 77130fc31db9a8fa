import { mailboxOf } from '../../shared/mailbox.ts'

/** What stands out among sign-ups: so many that somebody should look. */
export interface Crowd {
  readonly kind: 'domain' | 'mailbox'
  readonly name: string
  /** At least so many; exactly, unless the list is longer than what is counted at once. */
  readonly count: number
}

/** A domain of which there are many on any list, since everybody may have a mailbox there. */
const everybodys = new Set(
  (
    'gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com aol.com ' +
    'icloud.com me.com mac.com proton.me protonmail.com gmx.de gmx.net gmx.com web.de t-online.de ' +
    'mail.com mail.ru yandex.ru qq.com 163.com 126.com naver.com orange.fr free.fr laposte.net ' +
    'libero.it comcast.net fastmail.com zoho.com hey.com'
  ).split(' '),
)

const MANY_OF_A_DOMAIN = 50
const SHARE_OF_A_DOMAIN = 0.05
const MANY_OF_A_MAILBOX = 5
const SHOWN = 3
const COUNTERS = 2_000

/**
 * Watches sign-ups for what a flood looks like: one domain that is nobody's usual one, or one mailbox
 * under many names. In memory that does not grow with their number.
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
            !everybodys.has(name),
        )
      const ofMailboxes = mailboxes.most().filter(({ count }) => count >= MANY_OF_A_MAILBOX)
      return [
        ...ofDomains.slice(0, SHOWN).map((one) => ({ kind: 'domain' as const, ...one })),
        ...ofMailboxes.slice(0, SHOWN).map((one) => ({ kind: 'mailbox' as const, ...one })),
      ]
    },
  }
}

/** Counts names by the algorithm of Misra and Gries: who comes often is found, in bounded memory. */
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
