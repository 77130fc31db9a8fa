import { domainOf, isTagged, mailboxOf } from '../../shared/address-folding.ts'
import { isPublicProvider } from '../../shared/public-providers.ts'
import type { Judge } from './attempt.ts'
import { recentCounts } from './recent.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A household, a table in a café, some colleagues. */
const ORDINARY = 10
/**
 * A share of the day's sign-ups: on a day with thousands, an office or a campus brings more than
 * ten.
 */
const ORDINARY_SHARE = 0.02

/**
 * Tells whether many came from a visitor's network within the hour. Their letters leave after all
 * others: so a flood waits, and nobody is refused. Networks stay in memory.
 */
export function crowds(now = Date.now): (network: string | undefined) => boolean {
  const ofHour = recentCounts(HOUR_MS)
  return (network) => network !== undefined && ofHour(network, now()).count > ORDINARY
}

/**
 * The same where only the address is known: by its domain; at a public provider by its mailbox; and
 * without a tag by itself, so that no other address makes its owner wait.
 */
export function crowdsOfAddresses(now = Date.now): (email: string) => boolean {
  const isCrowd = crowds(now)
  return (email) => {
    const domain = domainOf(email)
    if (!isPublicProvider(domain)) return isCrowd(domain)
    return isCrowd(isTagged(email) ? `${mailboxOf(email)}+` : email)
  }
}

/** Many of the day's sign-ups came from one network. People do that too: an office, a fair. */
export function networkShare(): Judge {
  const isMuch = muchOfTheDay()
  return ({ network, at }) => (network !== undefined && isMuch(network, at) ? 'hint' : undefined)
}

/** Many of the day's addresses are at one domain that is no public provider. */
export function domainShare(): Judge {
  const isMuch = muchOfTheDay()
  return ({ email, at }) => {
    const domain = domainOf(email)
    return isMuch(domain, at) && !isPublicProvider(domain) ? 'hint' : undefined
  }
}

/** More than the operator's limit for a day came from the address or its network. */
export const dayLimit: Judge = ({ isBeyondDay }) => (isBeyondDay ? 'enough' : undefined)

function muchOfTheDay() {
  const ofDay = recentCounts(DAY_MS)
  return (name: string, at: number) => {
    const { count, all } = ofDay(name, at)
    return count > ORDINARY && count > ORDINARY_SHARE * all
  }
}
