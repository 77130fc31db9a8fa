/** A quoted local part (RFC 5321, 4.1.2): a quote or a backslash in it has a backslash before it. */
const QUOTED = /^"(?:[^"\\]|\\.)*"$/

/**
 * In a local part these say where a letter is passed on to. Postfix does that for the names of its own
 * machine, also in quotes (allow_percent_hack, swap_bangpath and resolve_dequoted_address of
 * https://www.postfix.org/postconf.5.html), and Exim's default configuration refuses them: by
 * `ada%example.com@` and the relay's name, a stranger would have letters beyond those of a mailbox.
 */
const ROUTING = /[%!@]/

/** What stands for the mail server's answer where a letter was not even offered to it. */
export const UNMAILABLE = 'unmailable'

/**
 * Whether a letter can be sent to an address exactly as it is kept. The e-mail rule takes more than
 * that: IP literals, which lead to whatever machine somebody names, such as the relay itself, and
 * quoted local parts that mail servers would read in another way. Angle brackets end an address in
 * SMTP, and our SMTP client replaces them by a space, which is somebody else's address.
 *
 * @param address as `parseEmail` returns it, or one of the operator's.
 */
export function isMailable(address: string): boolean {
  const at = address.lastIndexOf('@')
  const name = address.slice(0, Math.max(at, 0))
  if (address[at + 1] === '[' || /[\p{Cc}<>]/u.test(address) || ROUTING.test(name)) return false
  return !name.includes('"') || QUOTED.test(name)
}
