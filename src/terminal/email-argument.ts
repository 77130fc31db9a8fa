import { parseEmail } from '../shared/email.ts'
import { Misuse } from './operator-error.ts'

/** @throws Misuse for what is no address. */
export function readEmail(argument: string): string {
  const email = parseEmail(argument)
  if (email === undefined) throw new Misuse(`"${argument}" is not an e-mail address.`)
  return email
}
