import { UNSUBSCRIBE_URL_RULE, unsubscribeUrl } from '../announcement/preflight/unsubscribe-url.ts'
import { isSmtpUrl } from '../mail/smtp-mailer.ts'
import { Trouble } from '../operator/terminal/out.ts'

/** What `announce` reads from the environment beside what every command does. */
export interface MailSettings {
  readonly smtpUrl: string
  /** Where unsubscribe links lead, without a slash at the end. */
  readonly unsubscribeUrl: string
}

/** @throws Trouble with a line for each mistake; never with the password that is in `SMTP_URL`. */
export function readMailSettings(env: Readonly<Record<string, string | undefined>>): MailSettings {
  const smtpUrl = env.SMTP_URL?.trim() ?? ''
  const publicUrl = env.PUBLIC_URL?.trim() ?? ''
  const url = unsubscribeUrl(env.UNSUBSCRIBE_URL?.trim() ?? '', publicUrl)
  const mistakes = []
  if (!isSmtpUrl(smtpUrl))
    mistakes.push(
      `SMTP_URL: ${smtpUrl ? 'is set' : 'is not set'}, must be like smtp://user:password@mail.example.com:587`,
    )
  if (url === undefined) mistakes.push(UNSUBSCRIBE_URL_RULE)
  if (url === undefined || mistakes.length > 0) throw new Trouble(mistakes.join('\n'))
  return { smtpUrl, unsubscribeUrl: url }
}
