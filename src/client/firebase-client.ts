import { FirebaseError, initializeApp, setLogLevel } from 'firebase/app'
import { indexedDBLocalPersistence, initializeAuth, signInAnonymously } from 'firebase/auth'
import { addDoc, collection, getFirestore, serverTimestamp } from 'firebase/firestore/lite'
import type { BackendConfig } from '../shared/api.ts'
import type { Outcome } from '../shared/outcome.ts'
import { subscribersPath } from '../shared/subscriber.ts'
import type { SubscribeClient } from './subscribe-client.ts'

type FirebaseConfig = Omit<Extract<BackendConfig, { mode: 'firebase' }>, 'mode'>

/** What Firestore answers when there is no database or it cannot be used now. */
const noDatabase = ['not-found', 'unavailable']

/**
 * Reaches Firebase: anonymous Auth, whose user lives in IndexedDB or, where a browser refuses
 * that, in memory, and Firestore Lite.
 *
 * @throws when the configuration is not one of Firebase's.
 */
export function firebaseClient({ appId, firebase }: FirebaseConfig): SubscribeClient {
  // The library would print a failing request whole, and the address with it.
  setLogLevel('silent')
  const app = initializeApp(firebase)
  const auth = initializeAuth(app, { persistence: indexedDBLocalPersistence })
  const subscribers = collection(getFirestore(app), subscribersPath(appId))

  async function ensureUser() {
    await auth.authStateReady()
    if (!auth.currentUser) await signInAnonymously(auth)
  }

  /** A new record each time: one at an id that is known could be asked for. */
  const add = (email: string) => addDoc(subscribers, { email, subscribedAt: serverTimestamp() })

  async function addOrSignInAfresh(email: string) {
    try {
      await add(email)
    } catch (error) {
      if (!isAboutUser(error)) throw error
      // Whoever was disabled or deleted while the page stood open is signed out by the library.
      await auth.currentUser?.getIdToken(true).catch(() => {})
      await ensureUser()
      await add(email)
    }
  }

  return {
    signIn: (signal) => within(signal, ensureUser()),

    async subscribe(email, signal): Promise<Outcome> {
      try {
        await within(signal, addOrSignInAfresh(email))
        return 'subscribed'
      } catch (error) {
        if (!(error instanceof FirebaseError)) throw error
        return noDatabase.includes(error.code) ? 'database-unavailable' : 'failed'
      }
    },
  }
}

function isAboutUser(error: unknown): boolean {
  return error instanceof FirebaseError && /^(auth\/|unauthenticated$)/.test(error.code)
}

/** The library takes no signal: what is under way goes on, but nobody waits for it any more. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}
