/** A quoted local part (RFC 5321, 4.1.2): a quote or a backslash in it has a backslash before it. */
const QUOTED = /^"(?:[^"\\]|\\.)*"$/

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
  if (address[at + 1] === '[' || /[\p{Cc}<>]/u.test(address)) return false
  return !name.includes('"') || QUOTED.test(name)
}
