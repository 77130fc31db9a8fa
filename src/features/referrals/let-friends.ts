import type { Store } from '../../store/store.ts'
import { readReferrals } from './count-friends.ts'
import { letDay, referralDay } from './rules.ts'

/**
 * Lets the held friends of somebody's personal link count. A day counts as a whole, so one that is not
 * over cannot be let: nobody has looked at who comes later.
 *
 * @param day only those of this day, such as `2026-11-25`, in UTC. @returns the days that were held
 *   and are over, how many friends more count, and whether today is held too. @throws StoreUnavailable
 */
export async function letFriends(
  store: Pick<Store, 'list' | 'requests'>,
  addressIdOf: (email: string) => string,
  email: string,
  day?: string,
): Promise<{ days: string[]; friends: number; isTodayHeld: boolean }> {
  const { counts } = await readReferrals(store, addressIdOf)
  const held = counts.heldDays.filter(
    (one) => one.email === email && (day === undefined || one.day === day),
  )
  const over = held.filter((one) => one.day < referralDay(new Date()))
  const days = [...new Set(over.map((one) => one.day))]
  const isTodayHeld = over.length < held.length
  if (days.length === 0) return { days, friends: 0, isTodayHeld }
  const fields = Object.assign({}, ...days.map(letDay))
  await store.list.addFields([{ addressId: addressIdOf(email), fields }])
  return { days, friends: over.reduce((sum, one) => sum + one.number, 0), isTodayHeld }
}
