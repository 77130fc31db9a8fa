import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Firestore } from '@google-cloud/firestore'
import { GoogleAuth } from 'google-auth-library'
import { InboxUnavailable } from '../inbox.ts'
import { credentialsReason, outageReason } from './outage.ts'

export type FirestoreConnection = ReturnType<typeof firestoreConnection>

const ANSWER_WITHIN_MS = 10_000
const CLOSE_WITHIN_MS = 1000
/** Google sends so much before it hears that some arrived: a page of the inbox, at any distance. */
const UNTOLD_BYTES = 2 ** 20
const SCOPE = 'https://www.googleapis.com/auth/datastore'

/**
 * Connects when first used, and again by itself.
 *
 * @param projectId the one of the credentials, if not given.
 */
export function firestoreConnection(projectId: string | undefined) {
  const deadlines = new AsyncLocalStorage<number>()
  const { auth, findCredentials } = credentialsFor(projectId)
  const db = libraryWith(projectId, auth, deadlines)
  /** All calls of the library that have not ended, also those that nobody waits for any more. */
  const notEnded = new Set<Promise<unknown>>()

  return {
    db,

    /**
     * Makes one call to Firestore, in ten seconds at most, or in `withinMs`. Errors that are no outage
     * are thrown as they are.
     *
     * @throws InboxUnavailable
     */
    use<T>(work: () => Promise<T>, withinMs = ANSWER_WITHIN_MS): Promise<T> {
      const working = deadlines.run(Date.now() + withinMs, async () => {
        // If the library itself finds no credentials, its error cannot be caught.
        await findCredentials()
        return work()
      })
      const ended = working.catch(() => {}).finally(() => notEnded.delete(ended))
      notEnded.add(ended)
      return inTime(working, withinMs).catch(unavailable)
    },

    /** If it is terminated before its last call has ended, the library's error cannot be caught. */
    async close(): Promise<void> {
      const terminated = Promise.all(notEnded).then(() => db.terminate())
      await Promise.race([terminated, sleep(CLOSE_WITHIN_MS)])
    },
  }
}

function credentialsFor(projectId: string | undefined) {
  const onEmulator = Boolean(process.env.FIRESTORE_EMULATOR_HOST)
  // The emulator needs no credentials, and the library would search the network for some.
  if (onEmulator) process.env.METADATA_SERVER_DETECTION ??= 'none'
  const auth = onEmulator ? undefined : new GoogleAuth({ scopes: SCOPE })
  return {
    auth,
    async findCredentials() {
      if (onEmulator && projectId === undefined)
        throw new Outage('the emulator wants a project: set GOOGLE_CLOUD_PROJECT')
      try {
        await auth?.getClient()
        if (projectId === undefined) await auth?.getProjectId()
      } catch (cause) {
        throw new Outage(credentialsReason(cause), { cause })
      }
    },
  }
}

function libraryWith(
  projectId: string | undefined,
  auth: GoogleAuth | undefined,
  deadlines: AsyncLocalStorage<number>,
): Firestore {
  return new Firestore({
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
}

function unavailable(cause: unknown): never {
  const reason = cause instanceof Outage ? cause.message : outageReason(cause)
  if (reason === undefined) throw cause
  throw new InboxUnavailable(`Firestore cannot be used: ${reason}.`, { cause })
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
