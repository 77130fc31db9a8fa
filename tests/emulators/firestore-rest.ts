/** A value as Firestore's REST interface writes it, such as `{ stringValue: 'text' }`. */
export type Value = Readonly<Record<string, unknown>>

export interface Write {
  /** From the database's root, such as `collection/id`. */
  readonly path: string
  readonly fields: Readonly<Record<string, Value>>
  /** Fields that get the server's time. */
  readonly serverTime?: readonly string[]
  readonly currentDocument?: { readonly exists: boolean }
}

export interface Document {
  readonly name: string
  readonly fields: Readonly<Record<string, Value>>
}

/** Passes by the rules, as the operator's credentials do. */
export const OWNER = 'owner'

/**
 * Speaks Firestore's REST interface as anybody could who has read the page's source.
 * Each call takes the caller's token, none for nobody, and gives the status of the answer.
 */
export function firestoreRest(origin: string, project: string) {
  const database = `projects/${project}/databases/(default)/documents`

  async function request(method: string, path: string, token?: string, body?: unknown) {
    const response = await fetch(`${origin}/v1/${database}${path}`, {
      method,
      headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as unknown }
  }

  const status = async (...args: Parameters<typeof request>) => (await request(...args)).status

  return {
    commit: (writes: readonly Write[], token?: string) =>
      status('POST', ':commit', token, {
        writes: writes.map(({ path, fields, serverTime = [], currentDocument }) => ({
          update: { name: `${database}/${path}`, fields },
          updateTransforms: serverTime.map((fieldPath) => ({
            fieldPath,
            setToServerValue: 'REQUEST_TIME',
          })),
          ...(currentDocument && { currentDocument }),
        })),
      }),
    get: (path: string, token?: string) => status('GET', `/${path}`, token),
    patch: (path: string, fields: Write['fields'], token?: string) =>
      status('PATCH', `/${path}`, token, { fields }),
    remove: (path: string, token?: string) => status('DELETE', `/${path}`, token),
    query: (parent: string, from: object, token?: string) =>
      status('POST', `${parent}:runQuery`, token, { structuredQuery: { from: [from] } }),
    /** The documents of a collection, read as the operator. */
    async list(path: string) {
      const all: Document[] = []
      let token = ''
      do {
        const page = `pageSize=1000&pageToken=${encodeURIComponent(token)}`
        const { body } = await request('GET', `/${path}?${page}`, OWNER)
        const read = body as { documents?: Document[]; nextPageToken?: string }
        all.push(...(read.documents ?? []))
        token = read.nextPageToken ?? ''
      } while (token)
      return all
    },
    /** Deletes everything. */
    clear: () => fetch(`${origin}/emulator/v1/${database}`, { method: 'DELETE' }),
    /** Puts other rules in force, for this project alone. */
    async setRules(content: string) {
      const response = await fetch(`${origin}/emulator/v1/projects/${project}:securityRules`, {
        method: 'PUT',
        body: JSON.stringify({ rules: { files: [{ name: 'firestore.rules', content }] } }),
      })
      if (!response.ok) throw new Error(`These rules were refused: ${await response.text()}`)
    },
  }
}

/** An unsigned token of an anonymous user, as the emulator takes it. */
export function visitorToken(project: string, uid = 'visitor'): string {
  const now = Math.floor(Date.now() / 1000)
  const part = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url')
  const claims = {
    iss: `https://securetoken.google.com/${project}`,
    aud: project,
    sub: uid,
    user_id: uid,
    auth_time: now,
    iat: now,
    exp: now + 3600,
    firebase: { sign_in_provider: 'anonymous', identities: {} },
  }
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`
}
