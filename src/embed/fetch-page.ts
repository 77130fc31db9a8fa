const WITHIN_MS = 30_000
/** A page of a form is some hundred kilobytes. */
const MOST_BYTES = 2_000_000
const MOST_STEPS = 5

interface Fetched {
  /** Where it is in the end. */
  readonly url: URL
  /** 0 where nobody answers. */
  readonly status: number
  readonly html: string
  readonly headers: Headers
}

/**
 * Fetches a page that the operator named, from that host alone: a redirect elsewhere could lead into
 * a network that nobody meant.
 *
 * @returns where it leads, if that is elsewhere.
 */
export async function fetchPage(page: URL): Promise<Fetched | { readonly to: string }> {
  const signal = AbortSignal.timeout(WITHIN_MS)
  let url = page
  try {
    for (let step = 0; step <= MOST_STEPS; step += 1) {
      const answer = await fetch(url, {
        redirect: 'manual',
        signal,
        headers: { accept: 'text/html' },
      })
      const { status, headers } = answer
      const location = status >= 300 && status < 400 ? headers.get('location') : null
      if (location === null) return { url, status, html: await startOf(answer), headers }
      await answer.body?.cancel()
      const next = URL.parse(location, url.href)
      const isSameHost = next?.hostname === url.hostname && /^https?:$/.test(next.protocol)
      // A port of its own is somebody else's; from http to https it changes with the scheme.
      if (!isSameHost || next.port !== url.port) return { to: location }
      url = next
    }
  } catch {
    // It does not answer, or not in time.
  }
  return { url, status: 0, html: '', headers: new Headers() }
}

/** No more of a page than a form may be in. */
async function startOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= MOST_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, MOST_BYTES).toString()
}
