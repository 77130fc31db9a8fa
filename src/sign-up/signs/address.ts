import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { domainOf, isTagged, mailboxOf } from '../../shared/address-folding.ts'
import type { Judge } from './attempt.ts'
import { recent } from './recent.ts'

const LIST = join(import.meta.dirname, 'disposable-domains.txt')

/**
 * The domain of the address is on a list of disposable providers. Relays, which people use
 * permanently, are not on ours: `scripts/disposable-domains.ts` leaves them out.
 */
export function disposableDomain(): Judge {
  const listed = new Set(readFileSync(LIST, 'utf8').split('\n'))
  return ({ email }) => (listed.has(domainOf(email)) ? 'hint' : undefined)
}

const DAY_MS = 24 * 3_600_000
/**
 * People with a tag for every service have one for this one. The first five of a mailbox are
 * ordinary.
 */
const ORDINARY = 5

/**
 * Many addresses with a tag, of one mailbox and within a day. An address without a tag is the
 * owner's and never counts: otherwise anybody could have the owner quarantined by made-up tags.
 * Only for sign-ups that are not held for another reason: these would use up the owner's tags.
 */
export function mailboxAliases(): Judge {
  // Addresses, one a line: most mailboxes have one, and no address contains a line break.
  const seen = recent<string>()
  let since = 0
  return ({ email, at }) => {
    if (!isTagged(email)) return undefined
    if (at - since > DAY_MS) {
      since = at
      seen.clear()
    }
    const mailbox = mailboxOf(email)
    const aliases = seen.get(mailbox)
    const known = aliases?.split('\n') ?? []
    const isKnown = known.includes(email)
    const isMany = !isKnown && known.length >= ORDINARY
    const isMore = aliases !== undefined && !isKnown && !isMany
    seen.set(mailbox, isMore ? `${aliases}\n${email}` : (aliases ?? email))
    return isMany ? 'enough' : undefined
  }
}
