/** Domains that are one provider's, so that a name is the same mailbox at all of them. */
const sameAs: Readonly<Record<string, string>> = {
  'googlemail.com': 'gmail.com',
  'me.com': 'icloud.com',
  'mac.com': 'icloud.com',
  'protonmail.com': 'proton.me',
  'pm.me': 'proton.me',
}

/** A provider that reads `a.d.a` as `ada`. */
const ignoresDots = 'gmail.com'

/**
 * The mailbox that an address leads to, for counting: many addresses may stand for one. What follows
 * a plus is taken for a tag everywhere, not at the well-known providers alone, since they keep other
 * domains as well. Never write to it: a server may see it otherwise.
 *
 * @param email as `parseEmail` returns it.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const given = email.slice(at + 1)
  const domain = Object.hasOwn(sameAs, given) ? sameAs[given] : given
  const name = unquoted(email.slice(0, at))
  const plus = name.indexOf('+')
  const untagged = plus > 0 ? name.slice(0, plus) : name
  return `${(domain === ignoresDots && untagged.replaceAll('.', '')) || untagged}@${domain}`
}

/** RFC 5321: `"ada"` and `"\a\d\a"` are other ways to write `ada`. */
function unquoted(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replace(/\\(.)/gs, '$1') : name
}
