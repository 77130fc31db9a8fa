import { isTagged, mailboxOf } from '../../shared/address-folding.ts'
import type { Look } from './attempt.ts'
import { recent } from './recent.ts'

const DAY_MS = 24 * 3_600_000
/** Whoever has a tag for every service has one for this one. Their first five are ordinary. */
const ORDINARY = 5

/**
 * Many addresses with a tag, of one mailbox and within a day. One without a tag is its owner's: anybody
 * can make up tags for a stranger's mailbox, and would have the owner quarantined. Only to be asked
 * about who is not held for another reason: they would take the place of another tag of the owner's.
 */
export function mailboxAliases(): Look {
  // Addresses, one a line: most mailboxes have one, and no address has two lines.
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
