import { amount } from '../../form.ts'
import type { Life } from '../life.ts'
import type { Person } from '../people.ts'

const EACH = amount(1, 3)

/** Some write to the operator: to be forgotten, and to get no letters. */
export async function leaving({ command, visitors }: Life) {
  for (let n = 0; n < EACH; n += 1)
    for (const how of ['forgotten', 'unsubscribed'] as const) {
      // Rather whoever is yet to be told: they must not be, from now on.
      const one = visitors.someone(isUntold) ?? visitors.someone(isSettled)
      if (!one) continue
      // Whatever becomes of a letter that is on its way, they are not answered by it.
      one.gone = { how, at: Number.POSITIVE_INFINITY }
      await command([how === 'forgotten' ? 'forget' : 'unsubscribe', one.email])
      one.gone = { how, at: performance.now() }
    }
}

/** On the list for certain, and nothing of theirs is under way. */
function isSettled(one: Person): boolean {
  const isListed = one.hasConfirmed || one.thanked === 'at once'
  return isListed && !one.isUnsure && !one.gone && one.kind === 'visitor'
}

const isUntold = (one: Person) => one.told === 0 && isSettled(one)
