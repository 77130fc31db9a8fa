/// <reference types="vite/client" />
import { confirmationRequestsPath, subscribersPath } from '../shared/subscriber.ts'
import { appCheckHeader } from './app-check.ts'

/** Google's answer to a write that it did not do. */
export class NotWritten extends Error {
  /** Of HTTP. */
  readonly status: number
  /** The status and Google's own word for it, such as `403 PERMISSION_DENIED`. */
  readonly code: string

  constructor(status: number, word: string) {
    super('Firestore did not write a record')
    this.status = status
    this.code = `${status} ${word}`.trim()
  }
}

export interface FirestoreRecord {
  readonly id: string
  readonly email: string
  /** Of the user who writes it. */
  readonly idToken: string
}

/**
 * Writes subscriber records by Firestore's public REST interface. Its library for the browser would
 * do the same with 16 kB more.
 *
 * @throws when the configuration names no project.
 */
export function firestoreRecords(
  { apiKey, projectId }: Readonly<Record<string, string>>,
  appId: string,
  origin = 'https://firestore.googleapis.com',
) {
  if (!projectId) throw new Error('The configuration of Firebase names no project')
  const documents = `projects/${projectId}/databases/(default)/documents`
  const url = `${origin}/v1/${documents}:commit?key=${apiKey}`
  // Decided when the page is built, so that what is off leaves nothing in it.
  const collection =
    import.meta.env.VITE_CONFIRM === 'on' ? confirmationRequestsPath(appId) : subscribersPath(appId)

  /**
   * Writes one, with the server's time.
   *
   * @throws {NotWritten} when Google refuses it, and what `fetch` throws.
   */
  return async ({ id, email, idToken }: FirestoreRecord, signal: AbortSignal): Promise<void> => {
    const update = {
      name: `${documents}${collection}/${id}`,
      fields: { email: { stringValue: email } },
    }
    const updateTransforms = [{ fieldPath: 'subscribedAt', setToServerValue: 'REQUEST_TIME' }]
    const response = await fetch(url, {
      method: 'POST',
      headers: import.meta.env.APP_CHECK
        ? { Authorization: `Bearer ${idToken}`, ...(await appCheckHeader()) }
        : { Authorization: `Bearer ${idToken}` },
      body: JSON.stringify({ writes: [{ update, updateTransforms }] }),
      signal,
    })
    if (!response.ok) throw new NotWritten(response.status, await codeIn(response))
  }
}

/** Of Google's answer nothing but its code: the sentence beside it may repeat what was written. */
async function codeIn(response: Response): Promise<string> {
  const answer = (await response.json().catch(() => undefined)) as
    | { readonly error?: { readonly status?: string } }
    | undefined
  const code = answer?.error?.status ?? ''
  return /^[A-Z_]+$/.test(code) ? code : ''
}
