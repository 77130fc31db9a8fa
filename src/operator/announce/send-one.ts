import { addressIds } from '../../keys/address-id.ts'
import type { Recipient } from '../../mail/letter/message.ts'
import type { Mailer, Message } from '../../mail/mailer.ts'
import { readEmail } from '../terminal/email-argument.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { OperatorError } from '../terminal/operator-error.ts'
import type { Out } from '../terminal/out.ts'
import { answerInWords } from '../terminal/standing-words.ts'

/** `--to`: sends a test that nobody counts. @throws OperatorError when it is not accepted */
export async function sendOne(
  { mailer, linkKey }: { readonly mailer: Mailer; readonly linkKey: Buffer },
  message: (recipient: Recipient) => Message,
  to: string,
  out: Out,
): Promise<number> {
  const email = readEmail(to)
  const addressId = addressIds(linkKey).of(email)
  const { kind, answer } = await mailer.send(message({ addressId, email }))
  if (kind !== 'accepted')
    throw new OperatorError(`The test was not accepted (${kind}): ${answerInWords(answer)}`)
  out.say(`A test is on its way to ${email}: ${answer}`)
  return exitCodes.done
}
