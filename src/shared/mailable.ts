/** A quoted local part (RFC 5321, 4.1.2): a quote or a backslash in it has a backslash before it. */
const QUOTED = /^"(?:[^"\\]|\\.)*"$/

/**
 * Characters in a local part that route a letter on. Postfix does that for the names of its own
 * machine, also in quotes (allow_percent_hack, swap_bangpath and resolve_dequoted_address of
 * https://www.postfix.org/postconf.5.html), and Exim's default configuration refuses them: by
 * `ada%example.com@` and the relay's name, a stranger could get more letters than a mailbox may.
 */
const ROUTING = /[%!@]/

/** Whether a server without SMTPUTF8 can be told the local part (RFC 6531). */
export const isAsciiName = (address: string) =>
  !/[^\0-\x7f]/.test(address.slice(0, address.lastIndexOf('@')))

/** The answer of a letter that was not even offered to the mail server. */
export const UNMAILABLE = 'unmailable'

/**
 * Whether a letter can be sent to an address exactly as it is stored. The e-mail rule allows more:
 * IP literals, which lead to any machine, such as the relay itself, and quoted local parts that
 * mail servers would read in another way. Angle brackets end an address in SMTP, and our SMTP
 * client replaces them by a space, which makes another address.
 *
 * @param address as `parseEmail` returns it, or one of the operator's.
 */
export function isMailable(address: string): boolean {
  const at = address.lastIndexOf('@')
  const name = address.slice(0, Math.max(at, 0))
  if (address[at + 1] === '[' || /[\p{Cc}<>]/u.test(address) || ROUTING.test(name)) return false
  return !name.includes('"') || QUOTED.test(name)
}
