import { mailboxOf } from '../../shared/address-folding.ts'
import { parseEmail } from '../../shared/email.ts'
import { Misuse } from '../../terminal/operator-error.ts'

export interface AddressOptions {
  /** Patterns of addresses, in which `*` matches any text. */
  readonly matching?: readonly string[]
  /** All addresses of the same mailbox as this one. */
  readonly mailbox?: string
}

/**
 * Tells whether these options mean an address; without options, all. @throws OperatorError for a
 * pattern that matches none.
 */
export function addressesMeant({ matching = [], mailbox }: AddressOptions) {
  const patterns = matching.map(patternOf)
  const email = mailbox === undefined ? undefined : parseEmail(mailbox)
  if (mailbox !== undefined && email === undefined)
    throw new Misuse(`--mailbox: "${mailbox}" is not an e-mail address.`)
  const box = email && mailboxOf(email)
  return (one: string) =>
    (patterns.length === 0 || patterns.some((pattern) => pattern.test(one))) &&
    (box === undefined || mailboxOf(one) === box)
}

/** @throws OperatorError for a pattern that can match no valid address. */
function patternOf(pattern: string): RegExp {
  if (pattern === '' || pattern.length > 254 || pattern.split('*').length > 5)
    throw new Misuse(`--matching: "${pattern}" must be like *@example.com, with four stars at most`)
  const literal = (part: string) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const parts = pattern.toLowerCase().normalize().split('*').map(literal)
  return new RegExp(`^${parts.join('.*')}$`, 'su')
}
