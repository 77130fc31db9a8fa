import mailboxProviders from './mailbox-providers.json' with { type: 'json' }
import domains from './public-providers.json' with { type: 'json' }

/**
 * Domains where everybody can have a mailbox, and of which a list may have many: the large providers
 * of the larger countries. Most are in Thunderbird's ISPDB
 * (https://github.com/thunderbird/autoconfig/tree/c6ad796/ispdb), the others in its users' lists such as
 * https://www.npmjs.com/package/email-providers and https://www.npmjs.com/package/free-email-domains.
 */
const publicProviders: ReadonlySet<string> = new Set([
  ...mailboxProviders.flatMap((one) => one.domains),
  ...Object.values(domains.providers).flat(),
])

/** Forwarding domains of people who hide their own address, by who runs them. */
const relays: ReadonlySet<string> = new Set(Object.values(domains.relays).flat())

/** Some have a domain for each country, such as `hotmail.fr`, `yahoo.co.jp` and `posteo.de`. */
const COUNTRY_DOMAIN =
  /^(aol|gmx|hotmail|live|outlook|posteo|yahoo)\.((com?|ne|or)\.)?(com|net|[a-z]{2})$/

/** Whether many addresses at a domain are usual. @param domain as in an address of `parseEmail`. */
export function isPublicProvider(domain: string): boolean {
  return publicProviders.has(domain) || COUNTRY_DOMAIN.test(domain) || isRelay(domain)
}

/** Whether a domain forwards mail for people; users of some have a name of their own beneath it. */
function isRelay(domain: string): boolean {
  if (relays.has(domain)) return true
  const parent = domain.slice(domain.indexOf('.') + 1)
  return relays.has(parent)
}
