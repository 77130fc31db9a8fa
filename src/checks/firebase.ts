import { randomBytes } from 'node:crypto'
import { probeAddress } from '../shared/probe-address.ts'
import { RECORDS_A_USER, recordId } from '../shared/record-id.ts'
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

/** How a write differs from the page's: over what is there, or with a time of its own. */
interface Unlike {
  readonly isOver?: boolean
  readonly isOwnTime?: boolean
}

const besideList = ['standings', 'suppressions', 'announcements', 'outbox', 'pending', 'state']
const text = (stringValue: string) => ({ stringValue })
const LONG = 'x'.repeat(900_000)

/**
 * Makes the calls that anybody can make who has read the page's source, with what the page sends:
 * the API key, and its address.
 *
 * @param email what it signs up.
 */
export function firebaseStranger(project: FirebaseProject, email: string) {
  const { apiKey, projectId, appId, referer, confirm = false } = project
  const root = `projects/${projectId}/databases/(default)/documents`
  const list = root + subscribersPath(appId)
  const requests = root + confirmationRequestsPath(appId)
  /** Where the page writes. */
  const own = confirm ? requests : list
  let token = ''
  let uid = ''

  async function call(host: string, method: string, path: string, body?: object) {
    const url = new URL(`https://${host}.googleapis.com/v1/${path}`)
    url.searchParams.set('key', apiKey)
    // Firebase Auth would take a token for a key of Google's cloud, and wants it in the body.
    const authorization = token && host === 'firestore' && { authorization: `Bearer ${token}` }
    const headers = { 'content-type': 'application/json', referer, ...authorization }
    return readAnswer(await ask(url, { method, headers, body: body ? JSON.stringify(body) : null }))
  }
  const account = (action: string, body: object) =>
    call('identitytoolkit', 'POST', `accounts:${action}`, body)
  /** The id of a place of this visitor, of which the first has its record. */
  const idAt = (place: number) => recordId(uid, place)

  async function ofOwn(method: 'GET' | 'PATCH' | 'DELETE') {
    const body = method === 'PATCH' ? { fields: {} } : undefined
    return call('firestore', method, `${own}/${await idAt(0)}`, body)
  }

  /** Asks for one document, with one field or none: no address is read. */
  const readOne = (collection: string, field = 'none') =>
    call('firestore', 'GET', `${collection}?pageSize=1&mask.fieldPaths=${field}`)

  /** Writes as the page does: the time is the server's, and nothing may be there. */
  async function write(id: string, more = {}, { isOver, isOwnTime }: Unlike = {}, beneath = own) {
    const time = { fieldPath: 'subscribedAt', setToServerValue: 'REQUEST_TIME' }
    const one = {
      update: { name: `${beneath}/${id}`, fields: { email: text(email), ...more } },
      ...(!isOwnTime && { updateTransforms: [time] }),
      ...(!isOver && { currentDocument: { exists: false } }),
    }
    return call('firestore', 'POST', `${root}:commit`, { writes: [one] })
  }
  /** Writes where the rules would take a valid record, so that only its mistake can be refused. */
  const writeWrong = async (place: number, wrong: object, unlike?: Unlike) =>
    write(await idAt(place), wrong, unlike)

  const check = <const Code extends string>(
    code: Code,
    probe: () => Promise<GoogleAnswer>,
    about?: string,
  ) => ({ code, probe, about })
  const ofConfirmation = [
    check('add-unconfirmed', async () => write(await idAt(0), {}, {}, list)),
    check('read-requests', () => readOne(requests, 'subscribedAt')),
  ]
  const ownTime = { subscribedAt: { timestampValue: '2020-01-01T00:00:00Z' } }

  return {
    /** Becomes an anonymous visitor. */
    async signIn(): Promise<GoogleAnswer> {
      const { said, ...answer } = await account('signUp', { returnSecureToken: true })
      token = said.idToken ?? ''
      uid = said.localId ?? ''
      // Here the message is the word, and the status says only that something is wrong.
      return { ...answer, problem: String(said.error?.message ?? answer.problem) }
    },
    signUp: async () => write(await idAt(0)),
    /** Deletes the anonymous visitor again. */
    signOff: () => account('delete', { idToken: token }),
    /**
     * The calls of a signed-in attacker, in their order; the rules refuse each. A write that is
     * taken all the same leaves an address that does not count, or none.
     */
    forbidden: [
      check('read-own', () => ofOwn('GET')),
      check('read-list', () => readOne(list, 'subscribedAt')),
      ...(confirm ? ofConfirmation : []),
      ...besideList.map((name) =>
        check('read-beside', () => readOne(`${root}/artifacts/${appId}/${name}`), name),
      ),
      check('change', () => ofOwn('PATCH')),
      check('write-over', () => writeWrong(0, {}, { isOver: true })),
      check('third-field', () => writeWrong(1, { name: text('check') })),
      check('long-field', () => writeWrong(2, { name: text(LONG) })),
      check('long-address', () => writeWrong(3, { email: text(`${LONG}@opening-bell.invalid`) })),
      check('no-address', () => writeWrong(4, { email: text('check') })),
      check('own-time', () => writeWrong(5, ownTime, { isOwnTime: true })),
      check('guessed-id', () => write(probeAddress())),
      check('random-id', () => write(randomBytes(10).toString('hex'))),
      check('too-many', () => writeWrong(RECORDS_A_USER, {})),
      // Last, since it would take the record away.
      check('delete', () => ofOwn('DELETE')),
    ],
  }
}

/** Reads an answer, which may hold anything. */
function readAnswer({ status, text }: Answer) {
  const said: Said = objectIn(text) ?? {}
  const { status: word, message = '', details } = said.error ?? {}
  const all = Array.isArray(details) ? details : []
  const exact = all.find((detail) => typeof detail?.reason === 'string')?.reason ?? ''
  const isGood = status >= 200 && status < 300
  const problem = isGood ? '' : status === 0 ? 'nothing' : String(word ?? (message || status))
  return { status, problem, reason: isGood ? '' : `${exact} ${message}`.trim(), said }
}
