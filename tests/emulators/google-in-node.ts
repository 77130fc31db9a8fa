import { atEmulator, type Emulators } from './google-hosts.ts'

/** Stands where Google does for this process, until a test changes it. */
export const google: {
  /** Who answers; nobody is a network that is not there. */
  emulators: Emulators
  /** An answer that no emulator gives. */
  answer: (url: URL) => Response | Promise<Response> | undefined
} = { emulators: {}, answer: () => undefined }

const realFetch = globalThis.fetch

// Firebase's library keeps the `fetch` that it finds when it is loaded: import this before it.
globalThis.fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input)
  if (!url.host.endsWith('.googleapis.com')) return realFetch(input, init)
  const answer = google.answer(url)
  if (answer) return answer
  const emulator = atEmulator(url, google.emulators)
  if (!emulator) throw new TypeError('fetch failed')
  return realFetch(emulator, init)
}
