import { readAddress } from '../shared/email.ts'

/**
 * Providers of mailboxes, the most used first. A domain in this list is never corrected. Left out
 * are the countries' domains of Yahoo, Hotmail, Live and Outlook: one letter from each other.
 */
export const providers = (
  'gmail.com yahoo.com hotmail.com outlook.com icloud.com aol.com live.com msn.com me.com mac.com ' +
  'mail.com email.com ymail.com rocketmail.com googlemail.com protonmail.com proton.me gmx.com ' +
  'gmx.de gmx.net gmx.at gmx.ch web.de t-online.de freenet.de posteo.de mailbox.org fastmail.com ' +
  'zoho.com yandex.com yandex.ru mail.ru orange.fr wanadoo.fr free.fr laposte.net libero.it ' +
  'comcast.net verizon.net btinternet.com'
).split(' ')

/**
 * A provider, a space and another domain at a Damerau-Levenshtein distance of one: another letter,
 * one more, one less, or two swapped. A name of up to three letters is one letter from many a
 * company's (`aol`, `aon`), so there the slip has to be behind the dot, or a swap.
 */
const slip = /^(?:((?=[^.]{4})\S*|\S*\.\S*)\S?(\S*) \1.?\2|(\S*)(.)(.)(\S*) \3\5\4\6)$/

/** The provider that a visitor probably meant; empty where there is none. @param input a field's. */
export function suggestDomain(input: string): string {
  const { whole, bare } = readAddress(input)
  // Someone may go on behind a dot.
  for (const address of whole.endsWith('.') ? [whole] : [whole, bare]) {
    const domain = address.split('@')[1] ?? ''
    if (providers.includes(domain)) return ''
    const meant = providers.find((one) => slip.test(`${one} ${domain}`))
    if (meant) return meant
  }
  return ''
}
