import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { type FirestoreEmulator, startFirestoreEmulator } from './firestore-emulator.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for the emulator of the run: `?jar=` says which to start. */
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
  const server = createServer((request, response) => {
    const jar = new URL(`http://localhost${request.url}`).searchParams.get('jar') ?? ''
    starting ??= startFirestoreEmulator(jar, NOTHING_ALLOWED)
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
