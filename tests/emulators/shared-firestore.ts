import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { findFirestoreEmulator } from './find-firestore-emulator.ts'
import { type FirestoreEmulator, startFirestoreEmulator } from './firestore-emulator.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for the emulator of the run; 404 says what this machine is missing for it. */
    firestoreOfRun: string
  }
}

/** A test that needs rules puts them in force for its own project. */
const NOTHING_ALLOWED =
  'service cloud.firestore { match /{document=**} { allow read, write: if false; } }'

/**
 * Vitest's global set-up: one Firestore emulator for a whole run, started when the first file asks
 * for it. A virtual machine of its own would cost each file some five seconds of processor.
 */
export default async function setUp({ provide }: TestProject) {
  let starting: Promise<FirestoreEmulator> | undefined
  // To look for it starts Java, and for most runs in vain.
  let found: ReturnType<typeof findFirestoreEmulator> | undefined
  const server = createServer((_request, response) => {
    found ??= findFirestoreEmulator()
    if ('missing' in found) return response.writeHead(404).end(found.missing)
    starting ??= startFirestoreEmulator(found.jar, NOTHING_ALLOWED)
    starting.then(
      ({ origin }) => response.end(origin),
      (fault: Error) => response.writeHead(500).end(`${fault.message}: ${fault.cause}`),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  provide('firestoreOfRun', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  return async () => {
    server.close()
    await starting?.then((emulator) => emulator.stop())
  }
}
