/** @module-tag long */
import { describe, it } from 'vitest'
import { withFirestoreEmulator } from '../emulators/with-emulators.ts'
import { emptyFirestore } from '../store/every-store.ts'
import { everyOrder } from './every-order.ts'
import { amount, chance, report, seed } from './form.ts'

const ORDERS = amount(3, 40)
const EVENTS = 20

describe('on Firestore', () => {
  const emulator = withFirestoreEmulator()

  it('tells those alone who are to be told, in whatever order they come, answer and leave', {
    timeout: amount(120_000, 1_200_000),
  }, async (context) => {
    // Its times are its own: a quarter of an hour does not pass, and fourteen days for the sweep alone.
    const clock = { canPass: false, step: () => {} }
    let letters = 0
    for (let n = 0; n < ORDERS; n++) {
      const store = await emptyFirestore(emulator().origin)
      try {
        letters += (await everyOrder(store, chance(seed + n), EVENTS, clock)).letters
      } catch (cause) {
        throw new Error(`seed ${seed + n}: ${(cause as Error).message}`, { cause })
      } finally {
        await store.close()
      }
    }
    report(context, {
      done: 'events in any order, on the Firestore emulator',
      times: ORDERS * EVENTS,
      result: `list, receipts and announcement as a reference model says; ${letters.toLocaleString('en')} letters, none too soon (seed ${seed})`,
    })
  })
})
