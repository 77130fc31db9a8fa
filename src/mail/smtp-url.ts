/** Whether `smtpMailer` supports this URL. */
export function isSmtpUrl(url: string): boolean {
  const { protocol, hostname } = URL.parse(url) ?? {}
  return (protocol === 'smtp:' || protocol === 'smtps:') && hostname !== ''
}
