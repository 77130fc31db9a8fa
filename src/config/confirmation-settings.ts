import { senderDomain } from '../mail/letter/letter.ts'
import { isSmtpUrl } from '../mail/smtp-url.ts'
import type { Variables } from './variables.ts'

/** What it takes to ask whoever signs up whether it was them. */
export interface ConfirmationSettings {
  readonly smtpUrl: string
  /** An address, or a name with an address in angle brackets. */
  readonly mailFrom: string
}

/** @param publicUrl as the setting says it; the link in the letter leads there. */
export function readConfirmation(
  { read, mistake }: Variables,
  publicUrl: string | null,
): ConfirmationSettings | null {
  const isOn = read('CONFIRM', 'off', onOrOff, 'on or off')
  if (!isOn) return null
  if (!isPrivate(publicUrl))
    mistake(
      `PUBLIC_URL: is ${publicUrl ? `"${publicUrl}"` : 'not set'}, must begin with https:// for CONFIRM=on, since letters link to it`,
    )
  return {
    smtpUrl: read(
      'SMTP_URL',
      '',
      (text) => (isSmtpUrl(text) ? text : undefined),
      'like smtp://user:password@mail.example.com:587 for CONFIRM=on, since somebody has to send its letters',
    ),
    mailFrom: read(
      'MAIL_FROM',
      '',
      (text) => (senderDomain(text) && !/\p{Cc}/u.test(text) ? text : undefined),
      'like Meridian <hello@example.com> for CONFIRM=on, since its letters need a sender',
    ),
  }
}

function onOrOff(text: string) {
  return text === 'on' ? true : text === 'off' ? false : undefined
}

/** Nobody on the way reads the link: TLS, or a page on this machine. */
function isPrivate(publicUrl: string | null) {
  const { protocol, hostname = '' } = (publicUrl && URL.parse(publicUrl)) || {}
  return protocol === 'https:' || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}
