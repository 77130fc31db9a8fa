/** @module-tag thorough */
import { describe } from 'vitest'
import product from '../../../product.config.ts'
import { firestoreRules } from '../../../scripts/firestore-rules.ts'
import { withFirestoreEmulator } from '../../emulators/with-emulators.ts'
import { emptyFirestore, everyContract } from '../every-store.ts'

describe('on Firestore', () => {
  const emulator = withFirestoreEmulator(firestoreRules(product.appId))
  // An emulator on a busy machine answers no thousand in the ten seconds that each may take.
  everyContract('the Firestore store', () => emptyFirestore(emulator().origin), 100)
})
