import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Firestore } from '@google-cloud/firestore'
import { GoogleAuth } from 'google-auth-library'
import { StoreUnavailable } from '../subscriber-store.ts'
import { credentialsReason, outageReason } from './outage.ts'

export interface FirestoreConnection {
  readonly db: Firestore
  /**
   * Makes one call to Firestore, in ten seconds at most, or in `withinMs`. Errors that are no outage
   * are thrown as they are.
   *
   * @throws StoreUnavailable
   */
  use<T>(work: () => Promise<T>, withinMs?: number): Promise<T>
  /** Finishes calls under way, and refuses later ones. */
  close(): Promise<void>
}

const ANSWER_WITHIN_MS = 10_000
const CLOSE_WITHIN_MS = 1000
/** Google sends so much before it hears that some arrived: a page of the inbox, at any distance. */
const UNTOLD_BYTES = 2 ** 20
const SCOPE = 'https://www.googleapis.com/auth/datastore'

/**
 * Connects when first used, and again by itself.
 *
 * @param projectId the one of the credentials, if not given.
 * @param log gets a sentence when an outage begins and when it ends.
 */
export function firestoreConnection(
  projectId: string | undefined,
  log: (message: string) => void,
): FirestoreConnection {
  const deadlines = new AsyncLocalStorage<number>()
  const onEmulator = Boolean(process.env.FIRESTORE_EMULATOR_HOST)
  // The emulator needs no credentials, and the library would search the network for some.
  if (onEmulator) process.env.METADATA_SERVER_DETECTION ??= 'none'
  const auth = onEmulator ? undefined : new GoogleAuth({ scopes: SCOPE })
  const db = new Firestore({
    ...(projectId !== undefined && { projectId }),
    ...(auth && { auth }),
    grpcOptions: { 'grpc-node.flow_control_window': UNTOLD_BYTES },
    // By default the library retries for minutes after we have given up. With our own time limit it
    // ends some seconds later.
    'grpc.callInvocationTransformer': (call: { callOptions: object }) => {
      const deadline = deadlines.getStore()
      return deadline === undefined
        ? call
        : { ...call, callOptions: { ...call.callOptions, deadline } }
    },
  })
  /** The calls that are waited for; and all calls of the library that have not ended. */
  const underWay = new Set<Promise<unknown>>()
  const notEnded = new Set<Promise<unknown>>()
  let isAway = false
  let closed: Promise<void> | undefined

  async function attempt<T>(work: () => Promise<T>, withinMs: number): Promise<T> {
    const working = deadlines.run(Date.now() + withinMs, async () => {
      // If the library itself finds no credentials, its error cannot be caught.
      await findCredentials()
      return work()
    })
    const ended = working.catch(() => {}).finally(() => notEnded.delete(ended))
    notEnded.add(ended)
    try {
      const result = await inTime(working, withinMs)
      if (isAway) log('Firestore can be used again.')
      isAway = false
      return result
    } catch (cause) {
      const reason = cause instanceof Outage ? cause.message : outageReason(cause)
      if (reason === undefined) throw cause
      const message = `Firestore cannot be used: ${reason}.`
      // Logged once, since the library has several messages for one outage.
      if (!isAway) log(message)
      isAway = true
      throw new StoreUnavailable(message, { cause })
    }
  }

  async function findCredentials() {
    if (onEmulator && projectId === undefined)
      throw new Outage('the emulator wants a project: set GOOGLE_CLOUD_PROJECT')
    try {
      await auth?.getClient()
      if (projectId === undefined) await auth?.getProjectId()
    } catch (cause) {
      throw new Outage(credentialsReason(cause), { cause })
    }
  }

  async function use<T>(work: () => Promise<T>, withinMs = ANSWER_WITHIN_MS): Promise<T> {
    if (closed) throw new StoreUnavailable('The store is closed.')
    const attempted = attempt(work, withinMs)
    underWay.add(attempted)
    try {
      return await attempted
    } finally {
      underWay.delete(attempted)
    }
  }

  async function finish() {
    await Promise.allSettled(underWay)
    // If it is terminated before its last call has ended, the library's error cannot be caught.
    const terminated = Promise.all(notEnded).then(() => db.terminate())
    await Promise.race([terminated, sleep(CLOSE_WITHIN_MS)])
  }

  return {
    db,
    use,
    close() {
      closed ??= finish()
      return closed
    },
  }
}

/** An outage that is known without a code. */
class Outage extends Error {}

/** The library's default time limits depend on the call, and are at least a minute. */
async function inTime<T>(work: Promise<T>, withinMs: number): Promise<T> {
  const timeout = new AbortController()
  const tooLate = sleep(withinMs, undefined, { signal: timeout.signal }).then(() => {
    throw new Outage(`no answer within ${withinMs / 1000} s`)
  })
  try {
    return await Promise.race([work, tooLate])
  } finally {
    tooLate.catch(() => {})
    timeout.abort()
  }
}
