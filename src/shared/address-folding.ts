import { parseEmail } from './email.ts'
import mailboxProviders from './mailbox-providers.json' with { type: 'json' }

/** How a provider reads addresses, where that differs from a plus that begins a tag. */
interface MailboxProvider {
  readonly domains: readonly string[]
  /**
   * Whether each name exists at all of the domains, as the same mailbox. Otherwise, as at Proton where
   * each is activated by itself, letters to a missing name would take the places of those to its owner.
   */
  readonly isOneAtAll?: boolean
  /** The characters of a name that make no difference, and their common form. */
  readonly alike?: { readonly signs: string; readonly as: string }
  /** A sign that begins a tag, beside the plus; no name has it, as at Yahoo behind a base name. */
  readonly tagSign?: string
  /** Whether any local part at `name.domain` is a tag of the mailbox `name`. */
  readonly hasNameInDomain?: boolean
}

/**
 * Only documented rules: a rule that takes two people's addresses for one mailbox would count one
 * of them for the other. The plus needs no rule, since it counts as a tag everywhere.
 */
const providers: ReadonlyMap<string, MailboxProvider> = new Map(
  mailboxProviders.flatMap((one) => one.domains.map((domain) => [domain, one] as const)),
)

/** The most letters of one announcement that go to one mailbox, whatever the number of its addresses. */
export const MOST_TO_A_MAILBOX = 3

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
  return readMailbox(email).mailbox
}

/**
 * Whether an address has a tag, or quotes and backslashes that its name does not need. Anybody can
 * make up any number of those for a stranger's mailbox, so they never count against the plain
 * address, which is the owner's.
 *
 * @param email as `parseEmail` returns it.
 */
export function isTagged(email: string): boolean {
  return readMailbox(email).isTagged
}

/** Both at once, for a whole list. */
export function readMailbox(email: string): { mailbox: string; isTagged: boolean } {
  const domain = domainOf(email)
  const written = email.slice(0, -domain.length - 1)
  const given = unquoted(written)
  const dot = domain.indexOf('.')
  const above = providers.get(domain.slice(dot + 1))
  if (above?.hasNameInDomain)
    return {
      mailbox: `${domain.slice(0, dot)}@${mainDomain(above, domain.slice(dot + 1))}`,
      isTagged: true,
    }
  const provider = providers.get(domain)
  const name = untagged(given, provider?.tagSign)
  const { signs = '', as = '' } = provider?.alike ?? {}
  const isAlike = signs !== '' && [...name].some((sign) => signs.includes(sign))
  const canonical =
    (isAlike && [...name].map((sign) => (signs.includes(sign) ? as : sign)).join('')) || name
  return {
    mailbox: `${canonical}@${mainDomain(provider, domain)}`,
    isTagged: name.length < given.length || isQuotedInVain(written, given, domain),
  }
}

function mainDomain(provider: MailboxProvider | undefined, domain: string): string {
  return (provider?.isOneAtAll && provider.domains[0]) || domain
}

/** The name before the first sign of a tag; a name that begins with one has no tag. */
function untagged(name: string, tagSign: string | undefined): string {
  const ends = ['+', tagSign].map((sign) => (sign ? name.indexOf(sign) : -1)).filter((at) => at > 0)
  return ends.length > 0 ? name.slice(0, Math.min(...ends)) : name
}

/** RFC 5321: `"ada"` and `"\a\d\a"` are equivalent to `ada`. */
function unquoted(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replace(/\\(.)/gs, '$1') : name
}

/**
 * Whether a name has quotes or backslashes that it does not need, which allow any number of
 * spellings.
 */
function isQuotedInVain(written: string, name: string, domain: string): boolean {
  if (!written.startsWith('"')) return false
  const plain = `${name}@${domain}`
  return parseEmail(plain) === plain || written !== `"${name.replace(/["\\]/g, '\\$&')}"`
}
