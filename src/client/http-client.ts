import { paths, type SessionBody, type SubscribeBody, type SubscribedBody } from '../shared/api.ts'
import type { Outcome } from '../shared/outcome.ts'
import { answering } from './answering.ts'
import type { SubscribeClient } from './subscribe-client.ts'

const outcomes: Readonly<Record<number, Outcome>> = {
  201: 'subscribed',
  422: 'invalid-email',
  503: 'database-unavailable',
}

/**
 * Reaches our own server, same origin.
 *
 * @param origin where the server is; empty in a page, which is already there.
 * @param request sends a request; a test passes one that keeps cookies as a browser does.
 */
export function httpClient(origin = '', request: typeof fetch = (...args) => fetch(...args)) {
  async function signIn(signal: AbortSignal) {
    const { user } = await session('GET', signal)
    if (!user) await session('POST', signal)
  }

  async function session(method: string, signal: AbortSignal): Promise<SessionBody> {
    const response = await request(origin + paths.session, { method, signal })
    if (!response.ok) throw new Error(`${paths.session} answered ${response.status}`)
    return response.json() as Promise<SessionBody>
  }

  function post(body: SubscribeBody, signal: AbortSignal) {
    return request(origin + paths.subscribers, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    })
  }

  async function subscribe(body: SubscribeBody, signal: AbortSignal): Promise<Outcome> {
    let response = await post(body, signal)
    if (response.status === 401) {
      // The session ended, or its cookie was cleared, while the page was open.
      await signIn(signal)
      response = await post({ ...body, isLate: true }, signal)
    }
    if (response.status === 401) throw new Error('The session is not sent back')
    return outcomeIn(response)
  }

  return { signIn, subscribe } satisfies SubscribeClient
}

/**
 * Submits by the route of the form without script, which needs no session.
 *
 * @throws as `subscribe` does.
 */
export async function submitForm(
  body: SubscribeBody,
  signal: AbortSignal,
  origin = '',
  request: typeof fetch = fetch,
): Promise<Outcome> {
  const response = await request(origin + paths.subscribe, {
    method: 'POST',
    headers: { Accept: 'application/json' },
    body: new URLSearchParams(body as unknown as Record<string, string>),
    signal,
  })
  return outcomeIn(response)
}

/** How a sign-up ended. @throws if the answer is not our server's, such as that of a filter on the way. */
async function outcomeIn(response: Response): Promise<Outcome> {
  const outcome = outcomes[response.status]
  const isOurs = response.headers.get('content-type')?.startsWith('application/json')
  // A proxy says that we are away as we say that the list is.
  if (!isOurs && outcome !== 'database-unavailable')
    throw new Error(`A sign-up was answered ${response.status}, not by us`)
  if (import.meta.env.VITE_QUESTION && response.ok)
    answering.token = ((await response.json()) as SubscribedBody).answer
  return outcome ?? 'failed'
}
