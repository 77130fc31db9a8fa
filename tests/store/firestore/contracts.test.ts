/** @module-tag thorough */
import { describe } from 'vitest'
import { withFirestoreEmulator } from '../../emulators/with-emulators.ts'
import { emptyFirestore, everyContract } from '../every-store.ts'

describe('on Firestore', () => {
  const emulator = withFirestoreEmulator()
  // An emulator on a busy machine answers no thousand in the ten seconds that each may take.
  const paces = { opening: 20_000, growth: 30_000 }
  everyContract('the Firestore store', () => emptyFirestore(emulator().origin), paces, 40)
})
