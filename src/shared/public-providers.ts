import { mailboxProviders } from './mailbox-providers.ts'

/** Domains where everybody can have a mailbox, and of which any list has many. */
const publicProviders: ReadonlySet<string> = new Set([
  ...mailboxProviders.flatMap(({ domains }) => domains),
  ...(
    'outlook.com hotmail.com live.com msn.com aol.com gmx.de gmx.net gmx.com web.de t-online.de ' +
    'mail.com mail.ru qq.com 163.com 126.com naver.com orange.fr free.fr laposte.net ' +
    'libero.it comcast.net zoho.com hey.com icloud.com me.com mac.com'
  ).split(' '),
])

/**
 * Where people who keep their own address to themselves have their mail forwarded from: relays of
 * Apple, Mozilla, DuckDuckGo, SimpleLogin, Proton and addy.io.
 */
const relays = new Set(
  (
    'privaterelay.appleid.com mozmail.com relay.firefox.com duck.com simplelogin.com simplelogin.co ' +
    'simplelogin.fr aleeas.com slmail.me slmails.com silomails.com 8alias.com 8shield.net ' +
    'dralias.com passmail.net passmail.com passinbox.com passfwd.com addy.io anonaddy.com anonaddy.me'
  ).split(' '),
)

/** Microsoft and Yahoo have a domain for each country, such as `hotmail.fr` and `yahoo.co.jp`. */
const COUNTRY_DOMAIN = /^(hotmail|live|outlook|yahoo)\.((com?|ne|or)\.)?[a-z]{2}$/

/** Whether many at a domain are what is usual. @param domain as in an address of `parseEmail`. */
export function isPublicProvider(domain: string): boolean {
  return publicProviders.has(domain) || COUNTRY_DOMAIN.test(domain) || isRelay(domain)
}

/** Whether a domain forwards mail for people; users of some have a name of their own beneath it. */
function isRelay(domain: string): boolean {
  if (relays.has(domain)) return true
  const parent = domain.slice(domain.indexOf('.') + 1)
  return relays.has(parent)
}
