import { hash, randomUUID, timingSafeEqual } from 'node:crypto'
import { purposeKey } from '../../keys/address-id.ts'

/**
 * How long a browser keeps its session, in seconds. A cookie that is "strictly necessary" may last
 * no longer than a visit. A page that is open for longer signs in again when the visitor submits.
 */
export const SESSION_S = 24 * 60 * 60

const COOKIE = /(?:^|; ?)session=([\da-f-]{36})\.([\w-]{43})(?:;|$)/

/** A visitor's uid in a signed cookie, `HttpOnly` and `SameSite=Strict`. */
export interface SessionCookie {
  /** The uid in a request's `Cookie` header, if we signed it. */
  read(header: string | undefined): string | undefined
  /** The `Set-Cookie` header that gives a visitor this uid. */
  write(uid: string): string
}

const TIME_DIGITS = 12

/** A new uid, a UUID of version 7: it holds when the session began, and is random otherwise. */
export function newUid(now = Date.now()): string {
  const time = now.toString(16).padStart(TIME_DIGITS, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** When a session began, in milliseconds since 1970. */
export function beganAt(uid: string): number {
  return Number.parseInt(uid.slice(0, 8) + uid.slice(9, 13), 16)
}

/**
 * @param linkKey the secret `LINK_KEY`.
 * @param secure whether visitors use https; then the cookie is `Secure`.
 */
export function sessionCookie(linkKey: Buffer, secure: boolean): SessionCookie {
  const key = purposeKey(linkKey, 'session').export().toString('base64url')
  const attributes = `Path=/; Max-Age=${SESSION_S}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
  // Unlike SHA-2, SHA-3 allows no length extension, so it needs no HMAC.
  const sign = (uid: string) => hash('sha3-256', key + uid, 'base64url')

  return {
    read(header) {
      const [, uid, signature] = (header && COOKIE.exec(header)) || []
      if (!uid || !signature) return undefined
      return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(uid))) ? uid : undefined
    },
    write: (uid) => `session=${uid}.${sign(uid)}; ${attributes}`,
  }
}
