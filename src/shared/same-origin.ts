/** The parts of a request that show which page made it. */
export interface RequestOrigin {
  /** The header `Origin`. */
  readonly origin: string | undefined
  /** The header `Sec-Fetch-Site`. */
  readonly fetchSite: string | undefined
  /** The host that was asked, with its port. */
  readonly host: string
}

/**
 * Whether a request comes from a page of the site.
 *
 * @param publicUrl the origin that visitors see, and the only one that counts. Where it is not known,
 *   the origin must match the host of the request.
 */
export function isSameOrigin(publicUrl: string | null, request: RequestOrigin): boolean {
  return publicUrl === null ? isOwnHost(request) : isFrom(publicUrl, request)
}

/**
 * If another domain points to our server, a browser calls its requests same-origin. So the `Origin`
 * header decides, which browsers send with every POST.
 */
function isFrom(publicUrl: string, { origin, fetchSite }: RequestOrigin): boolean {
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return false
  return origin === undefined ? fetchSite !== undefined : origin === publicUrl
}

export function isOwnHost({ origin, fetchSite, host }: RequestOrigin): boolean {
  // Browsers omit it on plain http, except for localhost. No script can set it.
  if (fetchSite !== undefined) return fetchSite === 'same-origin'
  const own = hostIn(origin)
  // A browser writes neither a default port nor capitals into an origin; what forwards a request may.
  return own !== undefined && ['', ':80', ':443'].some((port) => own + port === host.toLowerCase())
}

/** Whether a page on http(s), of which no more is known, may be ours under a `Host` that a proxy changed. */
export function isOtherHost({ origin, fetchSite, host }: RequestOrigin): boolean {
  return (
    fetchSite === undefined &&
    hostIn(origin) !== undefined &&
    !isOwnHost({ origin, fetchSite, host })
  )
}

const hostIn = (origin = '') => /^https?:\/\/(.+)$/.exec(origin.toLowerCase())?.[1]
