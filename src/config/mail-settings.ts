import { UNSUBSCRIBE_URL_RULE, unsubscribeUrl } from '../announcement/preflight/unsubscribe-url.ts'
import { isSmtpUrl } from '../mail/smtp-url.ts'
import { type Environment, type Read, variables } from './variables.ts'

/** What `announce` reads from the environment beside what every command does. */
export interface MailSettings {
  readonly smtpUrl: string
  /** Where unsubscribe links lead, without a slash at the end. */
  readonly unsubscribeUrl: string
}

export function readMailSettings(env: Environment): Read<MailSettings> {
  const { read, mistake, result } = variables(env)
  const smtpUrl = read(
    'SMTP_URL',
    '',
    (text) => (isSmtpUrl(text) ? text : undefined),
    'like smtp://user:password@mail.example.com:587',
  )
  const [setting = '', publicUrl = ''] = [env.UNSUBSCRIBE_URL?.trim(), env.PUBLIC_URL?.trim()]
  const url = unsubscribeUrl(setting, publicUrl) ?? ''
  if (!url) mistake(UNSUBSCRIBE_URL_RULE)
  return result({ smtpUrl, unsubscribeUrl: url })
}
