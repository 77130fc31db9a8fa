import { hash, timingSafeEqual } from 'node:crypto'

const ONE_YEAR_S = 365 * 24 * 60 * 60
const COOKIE = /(?:^|; ?)session=([\da-f-]{36})\.([\w-]{43})(?:;|$)/

/** A visitor's uid in a signed cookie, `HttpOnly` and `SameSite=Strict`. */
export interface SessionCookie {
  /** The uid in a request's `Cookie` header, if we signed it. */
  read(header: string | undefined): string | undefined
  /** The `Set-Cookie` header that gives a visitor this uid. */
  write(uid: string): string
}

/**
 * @param key signs the uids.
 * @param secure whether visitors use https; then the cookie is `Secure`.
 */
export function sessionCookie(key: string, secure: boolean): SessionCookie {
  const attributes = `Path=/; Max-Age=${ONE_YEAR_S}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
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
