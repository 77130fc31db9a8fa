import { recordId } from '../../shared/record-id.ts'
import { confirmationRequestsPath, subscribersPath } from '../../shared/subscriber.ts'

export interface FirebaseProject {
  readonly apiKey: string
  readonly projectId: string
  readonly appId: string
  /** The page's address: an API key may be good for that page alone. */
  readonly referer: string
  /** Whether the page asks for confirmation, and so writes beside the list. */
  readonly confirm?: boolean | undefined
}

/** What Google answered. */
export interface Answer {
  readonly status: number
  /** Google's word for what is wrong, such as `PERMISSION_DENIED`; empty when nothing is. */
  readonly problem: string
  /** Google's more exact word, such as `API_KEY_INVALID`, or its sentence; may be empty. */
  readonly reason: string
}

/** Fields as Firestore's REST interface writes them. */
export type Fields = Readonly<Record<string, Readonly<Record<string, unknown>>>>

interface GoogleAnswer {
  readonly error?: {
    readonly status?: string
    readonly message?: string
    readonly details?: readonly { readonly reason?: string }[]
  }
  readonly idToken?: string
  readonly localId?: string
}

const TIMEOUT_MS = 30_000

/**
 * Makes the calls that anybody can make who has read the page's source, with what the page sends:
 * the API key, and its address.
 *
 * @throws when Google cannot be reached.
 */
export function firebaseStranger(project: FirebaseProject) {
  const { apiKey, projectId, appId, referer, confirm = false } = project
  const root = `projects/${projectId}/databases/(default)/documents`
  const subscribers = root + subscribersPath(appId)
  const collection = confirm ? root + confirmationRequestsPath(appId) : subscribers
  let token = ''
  let uid = ''

  async function call(host: string, method: string, path: string, body?: object) {
    const url = new URL(`https://${host}.googleapis.com/v1/${path}`)
    url.searchParams.set('key', apiKey)
    const response = await fetch(url, {
      method,
      headers: {
        'content-type': 'application/json',
        referer,
        // Firebase Auth would take it for a key of Google's cloud, and wants it in the body.
        ...(token && host === 'firestore' && { authorization: `Bearer ${token}` }),
      },
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const answer = ((await response.json().catch(() => undefined)) ?? {}) as GoogleAnswer
    const { status, message, details } = answer.error ?? {}
    const problem = response.ok ? '' : String(status ?? message ?? response.statusText)
    const exact = details?.find((detail) => typeof detail?.reason === 'string')?.reason
    const reason = response.ok ? '' : `${exact ?? ''} ${message ?? ''}`.trim()
    return { status: response.status, problem, reason, answer }
  }

  const account = (action: string, body: object) =>
    call('identitytoolkit', 'POST', `accounts:${action}`, body)
  const firestore = (...args: [method: string, path: string, body?: object]): Promise<Answer> =>
    call('firestore', ...args)

  /**
   * Writes at an id.
   *
   * @param isNew whether the page's own condition goes along, that none is there.
   */
  const commit = (
    id: string,
    fields: Fields,
    serverTime: boolean,
    isNew = true,
    place = collection,
  ) =>
    firestore('POST', `${root}:commit`, {
      writes: [
        {
          update: { name: `${place}/${id}`, fields },
          ...(serverTime && {
            updateTransforms: [{ fieldPath: 'subscribedAt', setToServerValue: 'REQUEST_TIME' }],
          }),
          ...(isNew && { currentDocument: { exists: false } }),
        },
      ],
    })

  return {
    /** Becomes an anonymous visitor. */
    async signIn(): Promise<Answer> {
      const { answer, ...result } = await account('signUp', { returnSecureToken: true })
      token = answer.idToken ?? ''
      uid = answer.localId ?? ''
      // Here the message is the word, and the status says only that something is wrong.
      return { ...result, problem: String(answer.error?.message ?? result.problem) }
    },
    /** Deletes the anonymous visitor again. */
    signOff: (): Promise<Answer> => account('delete', { idToken: token }),
    /** The id of a place of this visitor. */
    idAt: (place: number) => recordId(uid, place),
    commit,
    /** Whether a write alone puts nobody on the list. */
    confirm,
    /** Writes on the list itself. */
    addToList: (id: string, fields: Fields) => commit(id, fields, true, true, subscribers),
    listRequests: () => firestore('GET', `${collection}?pageSize=1&mask.fieldPaths=subscribedAt`),
    read: (id: string) => firestore('GET', `${collection}/${id}`),
    /** Asks for one record of the list, without its address. */
    list: () => firestore('GET', `${subscribers}?pageSize=1&mask.fieldPaths=subscribedAt`),
    /** Asks for one document of what stands beside the subscribers, without its fields. */
    beside: (name: string) =>
      firestore('GET', `${root}/artifacts/${appId}/${name}?pageSize=1&mask.fieldPaths=none`),
    change: (id: string) => firestore('PATCH', `${collection}/${id}`, { fields: {} }),
    remove: (id: string) => firestore('DELETE', `${collection}/${id}`),
  }
}
