import { amount } from '../../form.ts'
import type { Life } from '../life.ts'
import type { Person } from '../people.ts'

/** How many of each: a command forgets one, and unsubscribes several. */
const FORGOTTEN = amount(1, 3)
const UNSUBSCRIBED = 4

/** Some write to the operator: to be forgotten, and to get no letters. */
export async function leaving(life: Life) {
  const leave = async (how: 'forgotten' | 'unsubscribed', many: number) => {
    const those = Array.from({ length: many }, () => leaver(life, how)).filter((one) => !!one)
    if (those.length === 0) return
    const command = how === 'forgotten' ? 'forget' : 'unsubscribe'
    await life.command([command, ...those.map(({ email }) => email)])
    for (const one of those) one.gone = { how, at: performance.now() }
  }
  await leave('unsubscribed', UNSUBSCRIBED)
  for (let n = 0; n < FORGOTTEN; n += 1) await leave('forgotten', 1)
}

/** Rather whoever is yet to be told: they must not be, from then on. */
function leaver({ visitors }: Life, how: 'forgotten' | 'unsubscribed'): Person | undefined {
  const one = visitors.someone(isUntold) ?? visitors.someone(isSettled)
  // Whatever becomes of a letter that is on its way, they answer none any more.
  if (one) one.gone = { how, at: Number.POSITIVE_INFINITY }
  return one
}

/** On the list for certain, and nothing of theirs is under way. */
function isSettled(one: Person): boolean {
  const isListed = one.hasConfirmed || one.thanked === 'at once'
  return isListed && !one.isUnsure && !one.gone && one.kind === 'visitor'
}

const isUntold = (one: Person) => one.told === 0 && isSettled(one)
