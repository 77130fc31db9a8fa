import type { Store } from '../../store/store.ts'
import type { Account } from '../feature.ts'
import { cameAt } from './rules.ts'

/**
 * Keeps when people on the list became users; of two times, the one that came first here. Nothing is
 * kept of an account whose address is not on the list.
 *
 * @param accounts a few hundred at most. @returns whether each is on the list, in their order. @throws
 *   StoreUnavailable
 */
export async function noteCame(
  store: Pick<Store, 'list'>,
  addressIdOf: (email: string) => string,
  accounts: readonly Account[],
): Promise<boolean[]> {
  const listed = await Promise.all(
    accounts.map(async ({ email }) => (await store.list.find(email)) !== undefined),
  )
  const came = accounts.filter((_, i) => listed[i])
  // Somebody who is forgotten meanwhile gets nothing: the store looks again as it writes.
  await store.list.addFields(
    came.map(({ email, at }) => ({ addressId: addressIdOf(email), fields: cameAt(at) })),
  )
  return listed
}
