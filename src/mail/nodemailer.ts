import { createRequire } from 'node:module'

/*
 * Nodemailer in its older form. The newer one imports `node:http` as a module, for which Node loads all
 * of `fetch`, in each process that mails.
 */
const require = createRequire(import.meta.url)

export const MailComposer = require('nodemailer/lib/mail-composer') as new (
  mail: import('nodemailer').SendMailOptions,
) => import('nodemailer/lib/mail-composer').default

type SmtpConnectionClass = typeof import('nodemailer/lib/smtp-connection').default
export type SmtpConnection = InstanceType<SmtpConnectionClass>
export const SmtpConnection = require('nodemailer/lib/smtp-connection') as SmtpConnectionClass

export const { parseConnectionUrl } =
  require('nodemailer/lib/shared') as typeof import('nodemailer/lib/shared')
