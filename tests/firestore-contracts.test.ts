/** @module-tag thorough */
import { describe } from 'vitest'
import product from '../product.config.ts'
import { firestoreRules } from '../scripts/firestore-rules.ts'
import { withFirestoreEmulator } from './emulators/with-emulators.ts'
import { emptyFirestore, everyContract } from './every-store.ts'

describe('on Firestore', () => {
  const emulator = withFirestoreEmulator(firestoreRules(product.appId))
  everyContract('the Firestore store', () => emptyFirestore(emulator().origin))
})
