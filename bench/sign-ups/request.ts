/** The request headers of a typical browser. */
export const BROWSER = {
  'User-Agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0',
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'Accept-Encoding': 'gzip, deflate, br, zstd',
  'Accept-Language': 'en-GB,en;q=0.9',
}

/** A whole HTTP/1.1 request as text; a body is sent as JSON. */
export function request(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
): string {
  const { host, pathname, search } = new URL(url)
  const lines = [`${method} ${pathname}${search} HTTP/1.1`, `Host: ${host}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body === undefined) return `${lines.join('\r\n')}\r\n\r\n`
  const text = JSON.stringify(body)
  lines.push('Content-Type: application/json', `Content-Length: ${text.length}`)
  return `${lines.join('\r\n')}\r\n\r\n${text}`
}

let visitors = 0

/** A new address. They are in random order, like those of people. */
export const newEmail = () => `${Math.random().toString(36).slice(2, 10)}.${visitors++}@example.com`
