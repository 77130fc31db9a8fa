import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRelay } from '../../shared/public-providers.ts'
import { domainOf, type Look } from './attempt.ts'

const LIST = join(import.meta.dirname, 'disposable-domains.txt')

/**
 * The address is at a domain that a list of disposable providers names. Relays, which people use for
 * good, are never among them.
 */
export function disposableDomain(): Look {
  const listed = new Set(readFileSync(LIST, 'utf8').split('\n'))
  return ({ email }) => {
    const domain = domainOf(email)
    return listed.has(domain) && !isRelay(domain) ? 'hint' : undefined
  }
}
