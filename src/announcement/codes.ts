import type { Recipient } from '../mail/letter/message.ts'
import type { Message } from '../mail/mailer.ts'
import type { LetterCodes } from '../shared/letter-codes.ts'
import type { LetterFile } from './run/letter-file.ts'

export interface CodedLetter {
  readonly letterFile: Pick<LetterFile, 'letter' | 'id'>
  /** Loads what makes the codes of a letter that has some. */
  readonly codes: () => Promise<LetterCodes>
}

/** What is found of the codes of a letter, if it has some. @throws StoreUnavailable */
export async function lookAtCodes({ letterFile, codes }: CodedLetter) {
  const { codeDays: days } = letterFile.letter
  return days === undefined ? [] : [await (await codes()).look(days)]
}

/**
 * The letter for each recipient, with their code if it has one. @param isTest for a code that nobody
 * takes. @throws OperatorError, StoreUnavailable
 */
export async function withCodes(
  { letterFile, codes }: CodedLetter,
  message: (recipient: Recipient) => Message,
  isTest = false,
): Promise<(recipient: Recipient) => Message | Promise<{ readonly message: Message }>> {
  const { letter, id } = letterFile
  const { codeDays: days } = letter
  if (days === undefined) return message
  const codeOf = await (await codes()).begin(days, isTest ? undefined : id)
  return async (recipient) => ({
    message: message({ ...recipient, code: await codeOf(recipient.addressId) }),
  })
}
