import { randomUUID } from 'node:crypto'
import { sessionCookie } from '../../src/server/http/session-cookie.ts'
import { paths } from '../../src/shared/api.ts'
import { SESSION_KEY } from '../our-server.ts'
import type { Visitor } from './generate-load.ts'
import { newEmail, request } from './request.ts'

/** What a browser sends, so that nobody looks like a robot: those are quarantined, which is more work. */
const sameOrigin = {
  'Sec-Fetch-Site': 'same-origin',
  'Sec-Fetch-Mode': 'cors',
  'Accept-Language': 'en',
}

/** Visitors of our server, with the requests that the page makes. */
export function ourVisitors(url: string) {
  // A session that says nothing of when it began: many sign up in it at once.
  const cookie = sessionCookie(SESSION_KEY, false).write(randomUUID())
  const Cookie = cookieOf(`set-cookie: ${cookie}`)
  /** The headers of somebody who is signed in. */
  const signedIn = { ...sameOrigin, Cookie }
  const askSession = request('GET', url + paths.session)
  const signIn = request('POST', url + paths.session, sameOrigin)
  const signUp = (cookie: string, fields = {}) =>
    request(
      'POST',
      url + paths.subscribers,
      { ...sameOrigin, Cookie: cookie },
      { email: newEmail(), ...fields },
    )

  const visitors = {
    /** Only the sign-up, by a visitor with a session. */
    *signUp() {
      yield signUp(Cookie)
    },
    /** A new visitor: has no session, gets one, signs up, having submitted before it came. */
    *newcomer() {
      yield askSession
      const answer: string = yield signIn
      yield signUp(cookieOf(answer), { isLate: true })
    },
  } satisfies Record<string, Visitor>
  return { ...visitors, signedIn }
}

function cookieOf(head: string): string {
  const cookie = /^set-cookie: ([^;\r]+)/im.exec(head)?.[1]
  if (!cookie) throw new Error(`No cookie in\n${head}`)
  return cookie
}
