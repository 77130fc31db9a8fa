import { beforeAll, beforeEach, inject } from 'vitest'
import { type AuthEmulator, installAuthEmulator, startAuthEmulator } from './auth-emulator.ts'
import { findFirestoreEmulator } from './find-firestore-emulator.ts'
import { type FirestoreEmulator, startFirestoreEmulator } from './firestore-emulator.ts'

/** Installing the Auth emulator takes half a minute, or more where the network is slow. */
const START_WITHIN_MS = 300_000

/**
 * Runs the tests around the call against the Firestore emulator of the run, each in a project of its
 * own. Its rules allow nothing, until a test puts others in force for its project.
 *
 * @returns where it is, for use inside a test.
 */
export function withFirestoreEmulator(): () => { readonly origin: string } {
  return withEmulator(async (jar) => {
    const response = await fetch(`${inject('firestoreOfRun')}?${new URLSearchParams({ jar })}`)
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return { origin: text, stop: async () => {} }
  })
}

/** The same against an emulator of their own, with these rules, which they may pause. */
export function withOwnFirestoreEmulator(rules: string): () => FirestoreEmulator {
  return withEmulator((jar) => startFirestoreEmulator(jar, rules))
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
  start: (jar: string) => Promise<Emulator>,
): () => Emulator {
  let emulator: Emulator
  const found = findFirestoreEmulator()
  if ('missing' in found) {
    if (process.env.REQUIRE_FIRESTORE_EMULATOR === '1') throw new Error(found.missing)
    beforeEach((test) => test.skip(found.missing))
  } else {
    beforeAll(async () => {
      emulator = await start(found.jar)
      return () => emulator.stop()
    }, START_WITHIN_MS)
  }
  return () => emulator
}
