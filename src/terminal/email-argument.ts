import { parseEmail } from '../shared/email.ts'
import { OperatorError } from './operator-error.ts'

/** @throws OperatorError for what is no address. */
export function readEmail(argument: string): string {
  const email = parseEmail(argument)
  if (email === undefined) throw new OperatorError(`"${argument}" is not an e-mail address.`)
  return email
}
