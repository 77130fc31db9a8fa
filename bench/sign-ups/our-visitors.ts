import { newUid, sessionCookie } from '../../src/server/http/session-cookie.ts'
import { paths } from '../../src/shared/api.ts'
import { LINK_KEY } from '../our-server.ts'
import type { Visitor } from './generate-load.ts'
import { newEmail, request } from './request.ts'

/** What a browser sends, so that nobody looks like a robot: those are quarantined, which is more work. */
const sameOrigin = {
  'Sec-Fetch-Site': 'same-origin',
  'Sec-Fetch-Mode': 'cors',
  'Accept-Language': 'en',
}

/** How long a person reads and types at least. */
const READ_MS = 10_000

/** Visitors of our server, with the requests that the page makes. */
export function ourVisitors(url: string) {
  const sessions = sessionCookie(Buffer.from(LINK_KEY), false)
  /** The headers of one more visitor, whose session began long enough ago. */
  const signedIn = () => ({
    ...sameOrigin,
    Cookie: cookieOf(`set-cookie: ${sessions.write(newUid(Date.now() - READ_MS))}`),
  })
  const askSession = request('GET', url + paths.session)
  const signIn = request('POST', url + paths.session, sameOrigin)
  const signUp = (headers: Readonly<Record<string, string>>, fields = {}) =>
    request('POST', url + paths.subscribers, headers, { email: newEmail(), ...fields })

  const visitors = {
    /** Only the sign-up, by a visitor with a session. */
    *signUp() {
      yield signUp(signedIn())
    },
    /** A new visitor: has no session, gets one, signs up, having submitted before it came. */
    *newcomer() {
      yield askSession
      const answer: string = yield signIn
      yield signUp({ ...sameOrigin, Cookie: cookieOf(answer) }, { isLate: true })
    },
  } satisfies Record<string, Visitor>
  return { ...visitors, signedIn }
}

function cookieOf(head: string): string {
  const cookie = /^set-cookie: ([^;\r]+)/im.exec(head)?.[1]
  if (!cookie) throw new Error(`No cookie in\n${head}`)
  return cookie
}
