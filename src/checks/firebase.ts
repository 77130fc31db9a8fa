import { recordId } from '../shared/record-id.ts'
import { objectIn } from '../shared/stored-json.ts'
import { confirmationRequestsPath, subscribersPath } from '../shared/subscriber.ts'
import { type Answer, ask } from './ask.ts'

export interface FirebaseProject {
  readonly apiKey: string
  readonly projectId: string
  readonly appId: string
  /** The page's address: an API key may be good for that page alone. */
  readonly referer: string
  /** Whether the page asks for confirmation, and so writes beside the list. */
  readonly confirm?: boolean | undefined
}

/** What Google answered; `status` is 0 where it did not. */
export interface GoogleAnswer {
  readonly status: number
  /** Google's word for what is wrong, such as `PERMISSION_DENIED`; empty when nothing is. */
  readonly problem: string
  /** Google's more exact word, such as `API_KEY_INVALID`, or its sentence; may be empty. */
  readonly reason: string
}

interface Said {
  readonly error?: {
    readonly status?: string
    readonly message?: string
    readonly details?: readonly { readonly reason?: string }[]
  }
  readonly idToken?: string
  readonly localId?: string
}

/** What rules that are deployed refuse to a signed-in visitor. */
export type ForbiddenCode =
  | 'read-own'
  | 'read-list'
  | 'delete'
  /** Of a page that asks for confirmation. */
  | 'add-unconfirmed'
  | 'read-requests'

/**
 * Makes the calls that anybody can make who has read the page's source, with what the page sends:
 * the API key, and its address.
 *
 * @param email what it signs up.
 */
export function firebaseStranger(project: FirebaseProject, email: string) {
  const { apiKey, projectId, appId, referer, confirm = false } = project
  const root = `projects/${projectId}/databases/(default)/documents`
  const [list, requests] = [subscribersPath(appId), confirmationRequestsPath(appId)]
  const own = confirm ? requests : list
  let token = ''
  let uid = ''

  async function google(host: string, method: string, path: string, body?: object) {
    const url = new URL(`https://${host}.googleapis.com/v1/${path}`)
    url.searchParams.set('key', apiKey)
    // Firebase Auth would take a token for a key of Google's cloud, and wants it in the body.
    const authorization = token && host === 'firestore' && { authorization: `Bearer ${token}` }
    const headers = { 'content-type': 'application/json', referer, ...authorization }
    return readAnswer(await ask(url, { method, headers, body: body ? JSON.stringify(body) : null }))
  }
  const account = (action: string, body: object) =>
    google('identitytoolkit', 'POST', `accounts:${action}`, body)

  const firestore = async (method: string, at: string) =>
    (await google('firestore', method, root + at)).answer
  const ownRecord = async (collection = own) => `${collection}/${await recordId(uid, 0)}`
  const someOf = (collection: string) => `${collection}?pageSize=1&mask.fieldPaths=subscribedAt`

  /** Adds a record as the page does. */
  async function add(collection = own): Promise<GoogleAnswer> {
    const name = root + (await ownRecord(collection))
    const write = {
      update: { name, fields: { email: { stringValue: email } } },
      updateTransforms: [serverTime],
      currentDocument: { exists: false },
    }
    return (await google('firestore', 'POST', `${root}:commit`, { writes: [write] })).answer
  }

  return {
    /** Becomes an anonymous visitor. */
    async signIn(): Promise<GoogleAnswer> {
      const { said, answer } = await account('signUp', { returnSecureToken: true })
      token = said.idToken ?? ''
      uid = said.localId ?? ''
      // Here the message is the word, and the status says only that something is wrong.
      return { ...answer, problem: String(said.error?.message ?? answer.problem) }
    },
    signUp: () => add(),
    /** Deletes the anonymous visitor again. */
    signOff: () => account('delete', { idToken: token }),
    /** Makes the calls of a signed-in attacker, in their order; the rules refuse each. */
    async *attack(): AsyncIterable<readonly [call: ForbiddenCode, answer: GoogleAnswer]> {
      yield ['read-own', await firestore('GET', await ownRecord())]
      yield ['read-list', await firestore('GET', someOf(list))]
      if (confirm) yield ['add-unconfirmed', await add(list)]
      if (confirm) yield ['read-requests', await firestore('GET', someOf(requests))]
      yield ['delete', await firestore('DELETE', await ownRecord())]
    },
  }
}

const serverTime = { fieldPath: 'subscribedAt', setToServerValue: 'REQUEST_TIME' }

/** Reads an answer, which may hold anything. @returns `said` for us alone: it may hold a token, or the list. */
function readAnswer({ status, text }: Answer) {
  const said: Said = objectIn(text) ?? {}
  const { status: word, message = '', details } = said.error ?? {}
  const all = Array.isArray(details) ? details : []
  const exact = all.find((detail) => typeof detail?.reason === 'string')?.reason ?? ''
  const isGood = status >= 200 && status < 300
  const problem = isGood ? '' : status === 0 ? 'nothing' : String(word ?? (message || status))
  const answer: GoogleAnswer = {
    status,
    problem,
    reason: isGood ? '' : `${exact} ${message}`.trim(),
  }
  return { answer, said }
}
