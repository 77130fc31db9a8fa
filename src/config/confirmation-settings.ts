import { senderDomain } from '../mail/letter/letter.ts'
import { isSmtpUrl, SMTP_URL_RULE } from '../mail/smtp-url.ts'
import { isLoopback } from '../shared/open-url.ts'
import { PUBLIC_URL_RULE, parsePublicUrl } from '../shared/public-url.ts'
import { type Environment, type Read, type Variables, variables } from './variables.ts'

/** The settings for sending letters. */
export interface Sender {
  readonly smtpUrl: string
  /** An address, or a name with an address in angle brackets. */
  readonly mailFrom: string
}

/** The settings for asking visitors to confirm. */
export interface ConfirmationSettings extends Sender {
  /** Whether receipts have client addresses. */
  readonly isIpKept: boolean
}

/** @param publicUrl as the setting says it; the link in the letter leads there. */
export function readConfirmation(
  variables: Variables,
  publicUrl: string | null,
): ConfirmationSettings | null {
  const { read } = variables
  const isOn = read('CONFIRM', 'off', onOrOff, 'on or off')
  if (!isOn) return null
  return {
    ...readLetterSettings(variables, publicUrl, 'CONFIRM=on'),
    isIpKept: read('CONSENT_IP', 'off', onOrOff, 'on or off'),
  }
}

/** @param isConfirmed whether visitors have to confirm. */
export function readReferrals({ read, mistake }: Variables, isConfirmed: boolean): boolean {
  const isOn = read('REFERRALS', 'off', onOrOff, 'on or off')
  if (isOn && !isConfirmed)
    mistake('REFERRALS: is "on", needs CONFIRM=on: only a friend who confirms counts')
  return isOn
}

/** The settings of `ask`, beside those of every command. */
export interface AskSettings extends Sender {
  /** The origin of the page, without a slash at the end. */
  readonly publicUrl: string
}

export function readAskSettings(env: Environment): Read<AskSettings> {
  const all = variables(env)
  const publicUrl = all.read('PUBLIC_URL', '', parsePublicUrl, PUBLIC_URL_RULE)
  return all.result({ ...readLetterSettings(all, publicUrl, 'ask'), publicUrl: publicUrl ?? '' })
}

/** @param use what needs them, for the sentence about a missing one. */
function readLetterSettings(
  variables: Variables,
  publicUrl: string | null | undefined,
  use: string,
): Sender {
  // An invalid address has a mistake of its own.
  if (publicUrl !== undefined && !isPrivate(publicUrl))
    variables.mistake(
      `PUBLIC_URL: is ${publicUrl ? `"${publicUrl}"` : 'not set'}, must begin with https:// for ${use}, since letters link to it`,
    )
  return readSender(variables, use)
}

/** @param use what needs it, for the sentence about a missing one. */
export function readSender({ read }: Variables, use: string): Sender {
  return {
    smtpUrl: read(
      'SMTP_URL',
      '',
      (text) => (isSmtpUrl(text) ? text : undefined),
      `${SMTP_URL_RULE}, for ${use}, since somebody has to send its letters`,
    ),
    mailFrom: read(
      'MAIL_FROM',
      '',
      (text) => (senderDomain(text) && !/\p{Cc}/u.test(text) ? text : undefined),
      `like Meridian <hello@example.com> for ${use}, since its letters need a sender`,
    ),
  }
}

export function onOrOff(text: string) {
  return text === 'on' ? true : text === 'off' ? false : undefined
}

/** Whether the link cannot be read on the way: TLS, or a page on this machine. */
function isPrivate(publicUrl: string | null) {
  const { protocol, hostname = '' } = (publicUrl && URL.parse(publicUrl)) || {}
  return protocol === 'https:' || isLoopback(hostname)
}
