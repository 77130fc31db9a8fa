/// <reference types="vite/client" />
import { FirebaseError, initializeApp, setLogLevel } from 'firebase/app'
import {
  connectAuthEmulator,
  indexedDBLocalPersistence,
  initializeAuth,
  signInAnonymously,
  type User,
} from 'firebase/auth'
import type { BackendConfig } from '../shared/api.ts'
import type { Outcome } from '../shared/outcome.ts'
import { RECORDS_A_USER, recordId } from '../shared/record-id.ts'
import { beginAppCheck } from './app-check.ts'
import { firestoreRecords, NotWritten } from './firestore-record.ts'
import type { SubscribeClient } from './subscribe-client.ts'

type FirebaseConfig = Omit<Extract<BackendConfig, { mode: 'firebase' }>, 'mode'>

/**
 * Reaches Firebase: anonymous Auth, whose user lives in IndexedDB or, where a browser refuses
 * that, in memory, and Firestore. What is refused is logged by its code, never with the address.
 *
 * @throws when the configuration is not one of Firebase's.
 */
export function firebaseClient({ appId, firebase, emulators }: FirebaseConfig): SubscribeClient {
  const auth = begunAuth(firebase, emulators?.auth)
  const write = firestoreRecords(firebase, appId, emulators?.firestore)

  /** Whether nothing was written yet by this user, so that all of its places are free. */
  let isNew = false

  async function ensureUser(): Promise<User> {
    await auth.authStateReady()
    if (auth.currentUser) return auth.currentUser
    const { user } = await signInAnonymously(auth)
    isNew = true
    return user
  }

  /**
   * Writes a new record at one of the user's own places, as the rules want it. The page cannot read
   * which places are taken, so after a refusal it tries the next.
   */
  async function add(user: User, email: string, signal: AbortSignal) {
    const first = Math.floor(Math.random() * RECORDS_A_USER)
    const last = first + (isNew ? 1 : RECORDS_A_USER) - 1
    isNew = false
    for (let place = first; ; place += 1) {
      const id = await recordId(user.uid, place % RECORDS_A_USER)
      try {
        return await write({ id, email, idToken: await user.getIdToken() }, signal)
      } catch (error) {
        if (!isRefused(error) || place === last) throw error
      }
    }
  }

  async function addOrSignInAfresh(email: string, signal: AbortSignal) {
    const user = await ensureUser()
    const wasNew = isNew
    try {
      await add(user, email, signal)
    } catch (error) {
      // The library signs out a user who was disabled or deleted while the page was open.
      if (isAboutUser(error)) await auth.currentUser?.getIdToken(true).catch(() => {})
      // A tablet at a fair has used its places up. A new user who is refused met other rules.
      else if (isRefused(error) && !wasNew) await auth.signOut()
      else throw error
      await add(await ensureUser(), email, signal)
    }
  }

  return {
    async signIn(signal) {
      await within(signal, ensureUser())
    },
    subscribe: ({ email }, signal) =>
      within(signal, addOrSignInAfresh(email, signal)).then(() => 'subscribed', outcomeOf),
  }
}

function begunAuth(firebase: FirebaseConfig['firebase'], emulator: string | undefined) {
  // What failed is said once, in one line.
  setLogLevel('silent')
  const app = initializeApp(firebase)
  if (import.meta.env.APP_CHECK) beginAppCheck(app)
  const auth = initializeAuth(app, { persistence: indexedDBLocalPersistence })
  if (emulator) connectAuthEmulator(auth, emulator, { disableWarnings: true })
  return auth
}

function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof FirebaseError || error instanceof NotWritten)) throw error
  console.warn('Not subscribed:', error.code)
  return answered(error, 404, 503) ? 'database-unavailable' : 'failed'
}

function isAboutUser(error: unknown): boolean {
  return error instanceof FirebaseError || answered(error, 401)
}

function isRefused(error: unknown): boolean {
  return answered(error, 403)
}

function answered(error: unknown, ...statuses: number[]): boolean {
  return error instanceof NotWritten && statuses.includes(error.status)
}

/** The library takes no signal: the call goes on, but is no longer waited for. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}
