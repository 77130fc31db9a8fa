/** @module-tag thorough */
import { describe } from 'vitest'
import { withFirestoreEmulator } from '../emulators/with-emulators.ts'
import { emptyFirestore } from '../store/every-store.ts'
import { thereAndBack } from './there-and-back.ts'

describe('on Firestore', { timeout: 120_000 }, () => {
  const emulator = withFirestoreEmulator()
  thereAndBack('a list in Firestore', () => emptyFirestore(emulator().origin))
})
