import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { domainOf } from '../../shared/address-folding.ts'
import type { Look } from './attempt.ts'

const LIST = join(import.meta.dirname, 'disposable-domains.txt')

/**
 * The domain of the address is on a list of disposable providers. Relays, which people use
 * permanently, are not on ours: `scripts/disposable-domains.ts` leaves them out.
 */
export function disposableDomain(): Look {
  const listed = new Set(readFileSync(LIST, 'utf8').split('\n'))
  return ({ email }) => (listed.has(domainOf(email)) ? 'hint' : undefined)
}
