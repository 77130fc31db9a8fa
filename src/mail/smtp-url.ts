/** How `SMTP_URL` is written, for the sentence about a wrong one. */
export const SMTP_URL_RULE =
  'like smtp://user:password@mail.example.com:587, with %23 for #, %2F for / and %3F for ? in user and password'

/**
 * Whether `smtpMailer` supports this URL. One with a path, a query or a fragment is none: a `#` in a
 * password ends the server's name, and the user's would be taken for it.
 */
export function isSmtpUrl(text: string): boolean {
  const { protocol, hostname, pathname = '' } = URL.parse(text) ?? {}
  const isServer = (protocol === 'smtp:' || protocol === 'smtps:') && hostname !== ''
  return isServer && ['', '/'].includes(pathname) && !/[?#]/.test(text)
}
