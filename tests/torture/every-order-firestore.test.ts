/** @module-tag thorough */
import { describe, it } from 'vitest'
import product from '../../product.config.ts'
import { firestoreRules } from '../../scripts/firestore-rules.ts'
import { withFirestoreEmulator } from '../emulators/with-emulators.ts'
import { emptyFirestore } from '../store/every-store.ts'
import { everyOrder } from './every-order.ts'
import { amount, chance, seed } from './form.ts'

describe('on Firestore', () => {
  const emulator = withFirestoreEmulator(firestoreRules(product.appId))

  it('tells those alone who are to be told, in whatever order they come, answer and leave', {
    timeout: amount(120_000, 1_200_000),
  }, async () => {
    // Its times are its own: a quarter of an hour does not pass, and fourteen days for the sweep alone.
    const clock = { canPass: false, step: () => {} }
    for (let n = 0; n < amount(3, 40); n++) {
      const store = await emptyFirestore(emulator().origin)
      try {
        await everyOrder(store, chance(seed + n), 20, clock)
      } catch (cause) {
        throw new Error(`seed ${seed + n}: ${(cause as Error).message}`, { cause })
      } finally {
        await store.close()
      }
    }
  })
})
