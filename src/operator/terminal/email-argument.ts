import { parseEmail } from '../../shared/email.ts'
import { Trouble } from './out.ts'

/** @throws Trouble for what is no address. */
export function readEmail(argument: string): string {
  const email = parseEmail(argument)
  if (email === undefined) throw new Trouble(`"${argument}" is not an e-mail address.`)
  return email
}
