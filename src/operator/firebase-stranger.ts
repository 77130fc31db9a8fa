import { randomBytes } from 'node:crypto'
import { subscribersPath } from '../shared/subscriber.ts'

export interface FirebaseProject {
  readonly apiKey: string
  readonly projectId: string
  readonly appId: string
  /** The page's address: an API key may be good for that page alone. */
  readonly referer: string
}

/** What Google answered. */
export interface Answer {
  readonly status: number
  /** Google's word for what is wrong, such as `PERMISSION_DENIED`; empty when nothing is. */
  readonly problem: string
}

interface GoogleAnswer {
  readonly error?: { readonly status?: string; readonly message?: string }
  readonly idToken?: string
}

const PATIENCE_MS = 30_000

/**
 * Does by plain HTTP what anybody can who has read the page's source.
 *
 * @throws when Google cannot be reached.
 */
export function firebaseStranger({ apiKey, projectId, appId, referer }: FirebaseProject) {
  const root = `projects/${projectId}/databases/(default)/documents`
  const collection = root + subscribersPath(appId)
  const record = `${collection}/${randomBytes(10).toString('hex')}`
  let token = ''

  async function call(host: string, method: string, path: string, body?: object) {
    const response = await fetch(`https://${host}.googleapis.com/v1/${path}`, {
      method,
      headers: {
        ...{ 'content-type': 'application/json', referer },
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const answer = ((await response.json().catch(() => undefined)) ?? {}) as GoogleAnswer
    const { status, message } = answer.error ?? {}
    const problem = response.ok ? '' : String(status ?? message ?? response.statusText)
    return { status: response.status, problem, answer }
  }

  const firestore = (...args: [method: string, path: string, body?: object]): Promise<Answer> =>
    call('firestore', ...args)

  return {
    /** Becomes an anonymous visitor. */
    async signIn(): Promise<Answer> {
      const path = `accounts:signUp?key=${encodeURIComponent(apiKey)}`
      const { answer, ...result } = await call('identitytoolkit', 'POST', path, {
        returnSecureToken: true,
      })
      token = answer.idToken ?? ''
      // Here the message is the word, and the status says only that something is wrong.
      return { ...result, problem: String(answer.error?.message ?? result.problem) }
    },

    /** Adds a record as the page does, each time the same one. */
    add: (email: string) =>
      firestore('POST', `${root}:commit`, {
        writes: [
          {
            update: { name: record, fields: { email: { stringValue: email } } },
            updateTransforms: [{ fieldPath: 'subscribedAt', setToServerValue: 'REQUEST_TIME' }],
            currentDocument: { exists: false },
          },
        ],
      }),
    read: () => firestore('GET', record),
    /** Asks for one record of the list, without its address. */
    list: () => firestore('GET', `${collection}?pageSize=1&mask.fieldPaths=subscribedAt`),
    change: () => firestore('PATCH', record, { fields: {} }),
    remove: () => firestore('DELETE', record),
  }
}
