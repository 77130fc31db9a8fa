import type { Subscriber } from '../shared/subscriber.ts'
import type { Store } from '../store/store.ts'
import type { Expected } from './expected.ts'
import { prospects } from './outlook.ts'
import type { RecipientSelection } from './recipient-selection.ts'

/**
 * The recipients that a run would send to if it began now, in order of sign-up. Writes nothing.
 *
 * @param expected of that run. @throws StoreUnavailable
 */
export async function* recipients(
  store: Store,
  selection: RecipientSelection,
  expected: Pick<Expected, 'untried'>,
): AsyncIterable<Subscriber> {
  let { untried } = expected
  for await (const { email, subscribedAt, turn } of prospects(store, selection)) {
    if (turn === 'none' || (turn === 'first' && untried === 0)) continue
    if (turn === 'first') untried -= 1
    yield { email, subscribedAt }
  }
}
