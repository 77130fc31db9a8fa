/** The cookie of a session. */
export interface DeskCookie {
  /** The token in a request's `Cookie` header. */
  read(header: string | undefined): string | undefined
  /** The `Set-Cookie` header that gives a browser this token for some seconds; 0 removes it. */
  write(token: string, seconds: number): string
}

/**
 * @param secure whether the operator uses https. Then no other site, not even one of the same domain,
 *   can set a cookie of that name.
 * @param own names the desk among those at other ports of its host: a browser keeps their cookies
 *   together.
 */
export function deskCookie(secure: boolean, own: string): DeskCookie {
  const name = `${secure ? '__Host-' : ''}desk-${own}`
  const pattern = new RegExp(`(?:^|; ?)${name}=([\\w-]{65})(?:;|$)`)
  const attributes = `Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
  return {
    read: (header) => (header === undefined ? undefined : pattern.exec(header)?.[1]),
    write: (token, seconds) => `${name}=${token}; Max-Age=${seconds}; ${attributes}`,
  }
}
