import { FirebaseError, initializeApp, setLogLevel } from 'firebase/app'
import { indexedDBLocalPersistence, initializeAuth, signInAnonymously } from 'firebase/auth'
import { doc, getFirestore, serverTimestamp, setDoc } from 'firebase/firestore/lite'
import type { BackendConfig } from '../shared/api.ts'
import type { Outcome } from '../shared/outcome.ts'
import { RECORDS_A_USER, recordId } from '../shared/record-id.ts'
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
  const firestore = getFirestore(app)

  /** Whether nothing was written yet by this user, so that all of its places are free. */
  let isNew = false

  async function ensureUser() {
    await auth.authStateReady()
    if (auth.currentUser) return
    await signInAnonymously(auth)
    isNew = true
  }

  /**
   * Writes a new record at one of the user's own places, as the rules want it. Nobody can read which
   * are taken, so a refused one is followed by the next.
   */
  async function add(email: string) {
    const { uid = '' } = auth.currentUser ?? {}
    const first = Math.floor(Math.random() * RECORDS_A_USER)
    const last = first + (isNew ? 1 : RECORDS_A_USER) - 1
    isNew = false
    for (let place = first; ; place += 1) {
      const id = await recordId(uid, place % RECORDS_A_USER)
      try {
        const record = doc(firestore, subscribersPath(appId), id)
        return await setDoc(record, { email, subscribedAt: serverTimestamp() })
      } catch (error) {
        if (!isRefused(error) || place === last) throw error
      }
    }
  }

  async function addOrSignInAfresh(email: string) {
    const wasNew = isNew
    try {
      await add(email)
    } catch (error) {
      // Whoever was disabled or deleted while the page stood open is signed out by the library.
      if (isAboutUser(error)) await auth.currentUser?.getIdToken(true).catch(() => {})
      // A tablet at a fair has used its places up. A new user who is refused met other rules.
      else if (isRefused(error) && !wasNew) await auth.signOut()
      else throw error
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

function isRefused(error: unknown): boolean {
  return error instanceof FirebaseError && error.code === 'permission-denied'
}

/** The library takes no signal: what is under way goes on, but nobody waits for it any more. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}
