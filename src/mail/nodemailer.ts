import { createRequire } from 'node:module'

/**
 * Nodemailer in its older form. The newer one imports `node:http` as a module, for which Node loads all
 * of `fetch`, in each process that mails.
 */
export const { createTransport } = createRequire(import.meta.url)(
  'nodemailer',
) as typeof import('nodemailer')
