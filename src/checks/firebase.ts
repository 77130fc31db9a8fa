import { randomBytes } from 'node:crypto'
import { probeAddress } from '../shared/probe-address.ts'
import { RECORDS_A_USER, recordId } from '../shared/record-id.ts'
import { confirmationRequestsPath, subscribersPath } from '../shared/subscriber.ts'
import { objectIn } from '../store/stored-json.ts'
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

/** Fields as Firestore's REST interface writes them. */
type Fields = Readonly<Record<string, Readonly<Record<string, unknown>>>>

interface Said {
  readonly error?: {
    readonly status?: string
    readonly message?: string
    readonly details?: readonly { readonly reason?: string }[]
  }
  readonly idToken?: string
  readonly localId?: string
}

type Stranger = ReturnType<typeof firebaseStranger>

/**
 * Makes the calls that anybody can make who has read the page's source, with what the page sends:
 * the API key, and its address.
 */
export function firebaseStranger(project: FirebaseProject) {
  const { apiKey, projectId, appId, referer, confirm = false } = project
  const root = `projects/${projectId}/databases/(default)/documents`
  const list = root + subscribersPath(appId)
  const requests = root + confirmationRequestsPath(appId)
  /** Where a sign-up is written. */
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

  /** Asks for one document, with one field or none: no address is read. */
  const firstOf = (collection: string, field: string) =>
    call('firestore', 'GET', `${collection}?pageSize=1&mask.fieldPaths=${field}`)

  return {
    confirm,
    /** Becomes an anonymous visitor. */
    async signIn(): Promise<GoogleAnswer> {
      const { said, ...answer } = await account('signUp', { returnSecureToken: true })
      token = said.idToken ?? ''
      uid = said.localId ?? ''
      // Here the message is the word, and the status says only that something is wrong.
      return { ...answer, problem: String(said.error?.message ?? answer.problem) }
    },
    /** Deletes the anonymous visitor again. */
    signOff: () => account('delete', { idToken: token }),
    /** The id of a place of this visitor. */
    idAt: (place: number) => recordId(uid, place),
    /** Writes at an id as the page does: the time is the server's, and none may be there. */
    commit: (id: string, fields: Fields, unlike: Unlike = {}) =>
      call('firestore', 'POST', `${root}:commit`, writeAt(`${own}/${id}`, fields, unlike)),
    /** Writes on the list itself. */
    addToList: (id: string, fields: Fields) =>
      call('firestore', 'POST', `${root}:commit`, writeAt(`${list}/${id}`, fields)),
    /** Reads, changes or deletes a record. */
    at: (method: 'GET' | 'PATCH' | 'DELETE', id: string) =>
      call('firestore', method, `${own}/${id}`, method === 'PATCH' ? { fields: {} } : undefined),
    readList: () => firstOf(list, 'subscribedAt'),
    readRequests: () => firstOf(requests, 'subscribedAt'),
    /** Reads what stands beside the subscribers. */
    readBeside: (name: string) => firstOf(`${root}/artifacts/${appId}/${name}`, 'none'),
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

/** How a write differs from the page's: over what is there, or with a time of its own. */
interface Unlike {
  readonly isOver?: boolean
  readonly isOwnTime?: boolean
}

function writeAt(name: string, fields: Fields, { isOver, isOwnTime }: Unlike = {}) {
  const time = { fieldPath: 'subscribedAt', setToServerValue: 'REQUEST_TIME' }
  const write = {
    update: { name, fields },
    ...(!isOwnTime && { updateTransforms: [time] }),
    ...(!isOver && { currentDocument: { exists: false } }),
  }
  return { writes: [write] }
}

const besideList = ['standings', 'suppressions', 'announcements', 'outbox', 'pending', 'state']

/**
 * The calls of a signed-in attacker; the rules refuse each. A write that is taken all the same
 * leaves an address that does not count, or none.
 *
 * @param own the id of this visitor's record. @param fields what is in it, without the time.
 */
export function forbidden(stranger: Stranger, own: string, fields: Fields) {
  let place = 0
  /**
   * Writes where the rules would take a valid record, so that only its mistake can be refused.
   */
  async function add(wrong: Fields, unlike: Unlike = {}) {
    place += 1
    return stranger.commit(await stranger.idAt(place), { ...fields, ...wrong }, unlike)
  }
  const text = (stringValue: string) => ({ stringValue })
  const check = <const Code extends string>(
    code: Code,
    probe: () => Promise<GoogleAnswer>,
    about?: string,
  ) => ({ code, probe, about })
  const ofConfirmation = [
    check('add-unconfirmed', () => stranger.addToList(own, fields)),
    check('read-requests', stranger.readRequests),
  ]

  return [
    check('read-own', () => stranger.at('GET', own)),
    check('read-list', stranger.readList),
    ...(stranger.confirm ? ofConfirmation : []),
    ...besideList.map((name) => check('read-beside', () => stranger.readBeside(name), name)),
    check('change', () => stranger.at('PATCH', own)),
    check('write-over', () => stranger.commit(own, fields, { isOver: true })),
    check('third-field', () => add({ name: text('check') })),
    check('long-field', () => add({ name: text('x'.repeat(900_000)) })),
    check('long-address', () =>
      add({ email: text(`${'x'.repeat(900_000)}@opening-bell.invalid`) }),
    ),
    check('no-address', () => add({ email: text('check') })),
    check('own-time', () =>
      add({ subscribedAt: { timestampValue: '2020-01-01T00:00:00Z' } }, { isOwnTime: true }),
    ),
    check('guessed-id', () => stranger.commit(probeAddress(), fields)),
    check('random-id', () => stranger.commit(randomBytes(10).toString('hex'), fields)),
    check('too-many', async () => stranger.commit(await stranger.idAt(RECORDS_A_USER), fields)),
    // Last, since it would take the record away.
    check('delete', () => stranger.at('DELETE', own)),
  ]
}
