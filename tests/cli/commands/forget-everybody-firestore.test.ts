/** @module-tag thorough */
import { describe } from 'vitest'
import { withFirestoreEmulator } from '../../emulators/with-emulators.ts'
import { emptyFirestore } from '../../store/every-store.ts'
import { everybodyContract } from './everybody.ts'

describe('on Firestore', { timeout: 120_000 }, () => {
  const emulator = withFirestoreEmulator()
  everybodyContract('a list in Firestore', () => emptyFirestore(emulator().origin), {
    isShort: true,
  })
})
