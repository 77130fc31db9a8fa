import { beforeAll, beforeEach, inject } from 'vitest'
import { type AuthEmulator, installAuthEmulator, startAuthEmulator } from './auth-emulator.ts'

/** Installing the Auth emulator takes half a minute, or more where the network is slow. */
const START_WITHIN_MS = 300_000

interface SharedFirestore {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  readonly origin: string
}

/**
 * Runs the tests around the call against the Firestore emulator of the run, each in a project of its
 * own. Its rules allow nothing, until a test puts others in force for its project. A test that needs
 * a Firestore which falls silent puts a proxy before it.
 *
 * @returns where it is, for use inside a test.
 */
export function withFirestoreEmulator(): () => SharedFirestore {
  return withEmulator(async (origin) => ({ origin, stop: async () => {} }))
}

/** The same with the Auth emulator, which is of use only beside a Firestore emulator. */
export function withAuthEmulator(project: string): () => AuthEmulator {
  return withEmulator(async () => {
    await installAuthEmulator()
    return startAuthEmulator(project)
  })
}

/**
 * Where this machine has no emulator the tests are skipped and say what is missing;
 * `REQUIRE_FIRESTORE_EMULATOR=1` makes that a failure.
 */
function withEmulator<Emulator extends { stop(): Promise<void> }>(
  start: (firestore: string) => Promise<Emulator>,
): () => Emulator {
  let emulator: Emulator
  let missing: string | undefined
  beforeAll(async () => {
    const response = await fetch(inject('firestoreOfRun'))
    const text = await response.text()
    if (response.status === 404 && process.env.REQUIRE_FIRESTORE_EMULATOR !== '1') missing = text
    else if (!response.ok) throw new Error(text)
    else {
      emulator = await start(text)
      return () => emulator.stop()
    }
  }, START_WITHIN_MS)
  beforeEach((test) => {
    if (missing !== undefined) test.skip(missing)
  })
  return () => emulator
}
