import { paths } from '../../src/shared/api.ts'
import type { Visitor } from './generate-load.ts'
import { newEmail, request } from './request.ts'

const sameOrigin = { 'Sec-Fetch-Site': 'same-origin' }

/** Visitors of our server, with the requests that the page makes. */
export async function ourVisitors(url: string) {
  const answer = await fetch(url + paths.session, { method: 'POST', headers: sameOrigin })
  const Cookie = cookieOf(`set-cookie: ${answer.headers.get('set-cookie')}`)
  /** The headers of somebody who is signed in. */
  const signedIn = { ...sameOrigin, Cookie }
  const askSession = (headers = {}) => request('GET', url + paths.session, headers)
  const signIn = request('POST', url + paths.session, sameOrigin)
  const signUp = (cookie: string) =>
    request(
      'POST',
      url + paths.subscribers,
      { ...sameOrigin, Cookie: cookie },
      { email: newEmail() },
    )

  const visitors = {
    /** Only the sign-up, by a visitor with a session. */
    *signUp() {
      yield signUp(Cookie)
    },
    /** A returning visitor: asks for the session, then signs up. */
    *returning() {
      yield askSession({ Cookie })
      yield signUp(Cookie)
    },
    /** A new visitor: has no session, gets one, signs up. */
    *newcomer() {
      yield askSession()
      const answer: string = yield signIn
      yield signUp(cookieOf(answer))
    },
  } satisfies Record<string, Visitor>
  return { ...visitors, signedIn }
}

function cookieOf(head: string): string {
  const cookie = /^set-cookie: ([^;\r]+)/im.exec(head)?.[1]
  if (!cookie) throw new Error(`No cookie in\n${head}`)
  return cookie
}
