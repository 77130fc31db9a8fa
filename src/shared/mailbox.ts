/** Domains of one provider: the same local part is the same mailbox at all of them. */
const sameAs: Readonly<Record<string, string>> = {
  'googlemail.com': 'gmail.com',
  'me.com': 'icloud.com',
  'mac.com': 'icloud.com',
  'protonmail.com': 'proton.me',
  'pm.me': 'proton.me',
}

/** A provider that ignores dots in the local part. */
const ignoresDots = 'gmail.com'

/** @param email as `parseEmail` returns it. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1)
}

/**
 * The mailbox of an address, for counting: several addresses may belong to one. The part after a
 * plus is taken as a tag at every domain, since the large providers also host other domains. Never
 * send to the result: another server may interpret the address differently.
 *
 * @param email as `parseEmail` returns it.
 */
export function mailboxOf(email: string): string {
  const given = domainOf(email)
  const domain = Object.hasOwn(sameAs, given) ? sameAs[given] : given
  const name = unquoted(email.slice(0, -given.length - 1))
  const plus = name.indexOf('+')
  const untagged = plus > 0 ? name.slice(0, plus) : name
  return `${(domain === ignoresDots && untagged.replaceAll('.', '')) || untagged}@${domain}`
}

/** RFC 5321: `"ada"` and `"\a\d\a"` are equivalent to `ada`. */
function unquoted(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replace(/\\(.)/gs, '$1') : name
}
