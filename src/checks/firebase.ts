import { randomBytes } from 'node:crypto'
import { probeAddress } from '../shared/probe-address.ts'
import { recordId } from '../shared/record-id.ts'
import { objectIn } from '../shared/stored-json.ts'
import { confirmationRequestsPath, subscribersPath } from '../shared/subscriber.ts'
import { type Answer, ask } from './ask.ts'
import forbidden from './firebase-calls.json' with { type: 'json' }

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

export type ForbiddenCode = keyof typeof forbidden

/** A call to Firestore: of a method, or a write as the page does it, but for its fields. */
interface Call {
  readonly method?: string
  /** The document or collection, beneath all documents. */
  readonly at: string
  /** Which of the places of this visitor `{id}` is; the first has its record. */
  readonly place?: number
  readonly body?: object
  readonly fields?: object
  /** Whether it writes over what is there. */
  readonly isOver?: boolean
  /** Whether only a page that asks for confirmation has such a place. */
  readonly isAsking?: boolean
  /** It is made for each of these. */
  readonly about?: readonly string[]
}

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
  const random = randomBytes(10).toString('hex')
  const own = confirm ? requests : list
  const slots = { appId, list, requests, own, random, guessed: probeAddress() }
  let token = ''
  let uid = ''

  async function google(host: string, method: string, path: string, body?: object) {
    const url = new URL(`https://${host}.googleapis.com/v1/${path}`)
    url.searchParams.set('key', apiKey)
    // Firebase Auth would take a token for a key of Google's cloud, and wants it in the body.
    const authorization = token && host === 'firestore' && { authorization: `Bearer ${token}` }
    const headers = { 'content-type': 'application/json', referer, ...authorization }
    const sent = body ? JSON.stringify(body).replace('{long}', 'x'.repeat(900_000)) : null
    return readAnswer(await ask(url, { method, headers, body: sent }))
  }
  const account = (action: string, body: object) =>
    google('identitytoolkit', 'POST', `accounts:${action}`, body)

  async function call(
    { method, at, place = 0, body, fields, isOver }: Call,
    about = '',
  ): Promise<GoogleAnswer> {
    const filling: Record<string, string> = { ...slots, about, id: await recordId(uid, place) }
    const name = root + at.replace(/\{(\w+)\}/g, (_, slot) => filling[slot] ?? '')
    if (method) return (await google('firestore', method, name, body)).answer
    const write = {
      update: { name, fields: { email: { stringValue: email }, ...fields } },
      ...(!(fields && 'subscribedAt' in fields) && { updateTransforms: [serverTime] }),
      ...(!isOver && { currentDocument: { exists: false } }),
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
    signUp: () => call({ at: '{own}/{id}' }),
    /** Deletes the anonymous visitor again. */
    signOff: () => account('delete', { idToken: token }),
    /**
     * Makes the calls of a signed-in attacker, in their order; the rules refuse each. A write that is
     * taken all the same leaves an address that does not count, or none.
     */
    async *attack() {
      for (const [code, one] of Object.entries<Call>(forbidden))
        for (const about of one.isAsking && !confirm ? [] : (one.about ?? [undefined]))
          yield { call: code as ForbiddenCode, about, answer: await call(one, about) }
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
