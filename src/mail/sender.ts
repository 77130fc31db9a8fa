import addressparser from 'nodemailer/lib/addressparser'
import { normaliseEmail } from '../shared/email.ts'

/** The domain of a sender; `undefined` unless it is exactly one address. */
export function senderDomain(from: string): string | undefined {
  const email = senderAddress(from)
  return email?.slice(email.lastIndexOf('@') + 1)
}

/** The address in a sender, as it would be stored; `undefined` for what is not exactly one. */
export function senderAddress(from: string): string | undefined {
  const [one, ...more] = addressparser(from, { flatten: true })
  return one && more.length === 0 ? normaliseEmail(one.address) : undefined
}
