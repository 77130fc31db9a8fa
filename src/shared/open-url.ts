const LONGEST = 1000

/**
 * Reads the address that the open page's button leads to. Every visitor is sent there, so it must be
 * what it looks like: https, or a machine's own loopback, with no name or password in it.
 *
 * @returns it as browsers write it; `undefined` for an invalid address.
 */
export function parseOpenUrl(text: string): string | undefined {
  // `URL` drops line ends and tabs, and takes a backslash for a slash.
  if (text.length > LONGEST || /[\p{C}\p{Z}\\]/u.test(text)) return undefined
  const url = /^https?:\/\/[^/]/i.test(text) ? URL.parse(text) : null
  if (!url || url.username || url.password || url.href.length > LONGEST) return undefined
  return url.protocol === 'https:' || isLoopback(url.hostname) ? url.href : undefined
}

export const OPEN_URL_RULE =
  'an address that begins with https://, such as https://app.example.com, and has no user name or password in it'

/** Whether a host, as a URL has it, is this machine itself. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}
