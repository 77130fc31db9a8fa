import { addressIds } from '../../keys/address-id.ts'
import type { ServerGiven, ServerPart } from '../feature.ts'
import { accountRoutes } from './accounts.ts'
import { noteCame } from './note-came.ts'

/** Takes accounts from the product's server, where there is a key for it. */
export function serverPart({ store, linkKey, settings }: ServerGiven): ServerPart {
  const { ACCOUNTS_KEY: key } = settings
  if (typeof key !== 'string') return {}
  const { of } = addressIds(linkKey)
  return { routes: accountRoutes(key, (email, at) => noteCame(store, of, [{ email, at }])) }
}
