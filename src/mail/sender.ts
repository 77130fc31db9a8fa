import { createRequire } from 'node:module'
import { normaliseEmail } from '../shared/email.ts'

// When it is called: each command reads the settings, and few of them name a sender.
const require = createRequire(import.meta.url)

/** The domain of a sender; `undefined` unless it is exactly one address. */
export function senderDomain(from: string): string | undefined {
  const email = senderAddress(from)
  return email?.slice(email.lastIndexOf('@') + 1)
}

/** The address in a sender, as it would be stored; `undefined` for what is not exactly one. */
export function senderAddress(from: string): string | undefined {
  const addressparser: typeof import('nodemailer/lib/addressparser').default = require('nodemailer/lib/addressparser')
  const [one, ...more] = addressparser(from, { flatten: true })
  return one && more.length === 0 ? normaliseEmail(one.address) : undefined
}
