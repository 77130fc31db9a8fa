import { createReadStream } from 'node:fs'
import { checkReceived } from '../../checks/sender.ts'
import { readReceived } from '../../mail/received.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { findingInWords } from '../announce/finding-words.ts'
import { sayFindings } from '../say-findings.ts'

/**
 * Prints what a mailbox found about a letter of ours that arrived there, with one verdict.
 *
 * @param file the letter, as the mailbox saves it. @returns the exit code.
 */
export async function sayReceived(
  file: string,
  { json }: { readonly json: boolean | undefined },
  out: Out,
): Promise<number> {
  const received = await readReceived(createReadStream(file)).catch((cause) => {
    if (!cause.code) throw cause
    throw new OperatorError(`${file}: cannot be read: ${cause.message}`)
  })
  if (!received)
    throw new OperatorError(
      `${file}: no header says what a mailbox found. Save a letter that arrived, whole and with its headers. Some mail servers never write the header Authentication-Results: then try a mailbox of Gmail.`,
    )
  const found = checkReceived(received)
  const isOurs = found.every(({ verdict }) => verdict !== 'problem')
  const { by, domain } = received
  const all = json && { by, domain, isOurs, found }
  const code = await sayFindings(found.map(findingInWords), all, out)
  const who = by || 'The mailbox'
  out.say(
    isOurs
      ? `${who} takes this letter as one of ${domain}.`
      : `${who} cannot tell that this letter is from ${domain}: many letters like this would go to spam.`,
  )
  return code
}
