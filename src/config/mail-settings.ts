import { senderDomain } from '../mail/letter/letter.ts'
import { isSmtpUrl, SMTP_URL_RULE } from '../mail/smtp-url.ts'
import { unsubscribeUrl, unsubscribeUrlRule } from './unsubscribe-url.ts'
import { type Environment, type Read, variables } from './variables.ts'

/** The settings of `announce`, beside those of every command. */
export interface MailSettings {
  readonly smtpUrl: string
  /** Where unsubscribe links lead, without a slash at the end. */
  readonly unsubscribeUrl: string
}

const smtpUrlOf = (text: string) => (isSmtpUrl(text) ? text : undefined)

export function readMailSettings(env: Environment): Read<MailSettings> {
  const { read, mistake, result } = variables(env)
  const smtpUrl = read('SMTP_URL', '', smtpUrlOf, SMTP_URL_RULE)
  const url = unsubscribeUrlOf(env) ?? ''
  if (!url) mistake(unsubscribeUrlRule(env.UNSUBSCRIBE_URL))
  return result({ smtpUrl, unsubscribeUrl: url })
}

/** The same for `check-mail`: a missing setting is `undefined`, and a wrong one a mistake. */
export function readMailCheckSettings(env: Environment) {
  const { read, mistake, result } = variables(env)
  const isSet = (name: string) => Boolean(env[name]?.trim())
  const smtpUrl = isSet('SMTP_URL') ? read('SMTP_URL', '', smtpUrlOf, SMTP_URL_RULE) : undefined
  const url = unsubscribeUrlOf(env)
  if (!url && (isSet('UNSUBSCRIBE_URL') || isSet('PUBLIC_URL')))
    mistake(unsubscribeUrlRule(env.UNSUBSCRIBE_URL))
  const mailFrom = env.MAIL_FROM?.trim() || undefined
  if (mailFrom && !senderDomain(mailFrom)) mistake('MAIL_FROM: must be one e-mail address')
  return result({ smtpUrl, mailFrom, unsubscribeUrl: url })
}

const unsubscribeUrlOf = (env: Environment) =>
  unsubscribeUrl(env.UNSUBSCRIBE_URL?.trim() ?? '', env.PUBLIC_URL?.trim() ?? '')
