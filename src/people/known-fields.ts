import { languageCode } from '../shared/language-code.ts'
import { plainLine } from '../shared/plain-line.ts'
import { LONGEST_ANSWER } from '../shared/question.ts'
import { objectIn } from '../shared/stored-json.ts'
import { storedTime } from '../shared/stored-time.ts'
import { type Extra, withFields } from './extra.ts'
import { firstNameIn } from './first-name.ts'
import { type Consent, consentIn } from './pending.ts'
import { type Referral, referralIn } from './referral.ts'

/** The fields that this version knows among the `Extra` of an address. */
export interface KnownFields {
  /** The receipt of a confirmation. */
  readonly consent?: Consent | undefined
  /** That of the letters to it, as far as it is known. */
  readonly language?: string | undefined
  /** From a file; the page never asks for it. */
  readonly firstName?: string | undefined
  /** When they became a user of the product. */
  readonly came?: Date | undefined
  /** That somebody else's personal link brought them. */
  readonly referral?: Referral | undefined
  /** When they last answered that they still want to be told. */
  readonly stillInterested?: Date | undefined
  /** To the question that the page asks. */
  readonly answer?: string | undefined
  /** Of a consent, as another tool noted it. */
  readonly evidence?: string | undefined
}

export function knownFields(extra: Extra | undefined): KnownFields {
  return {
    consent: consentIn(extra),
    language: languageIn(extra),
    firstName: firstNameIn(extra),
    came: cameIn(extra),
    referral: referralIn(extra),
    stillInterested: stillInterestedIn(extra),
    answer: answerIn(extra),
    evidence: evidenceIn(extra),
  }
}

/**
 * The language of an address: that of the page on which it came to the list, or of the question that
 * its owner answered with yes.
 *
 * @returns it as BCP 47 has it; nothing where none is known.
 */
export function languageIn(extra: Extra | undefined): string | undefined {
  return languageCode(objectIn(extra?.consent)?.language) ?? languageCode(extra?.language)
}

/** When somebody on the list became a user of the product. */
export function cameIn(extra: Extra | undefined): Date | undefined {
  return storedTime(extra?.came)
}

/** The field that `cameIn` reads. */
export function cameAt(at: Date): Extra {
  return { came: at.toISOString() }
}

/** When somebody on the list last answered that they still want to be told. */
export function stillInterestedIn(extra: Extra | undefined): Date | undefined {
  return storedTime(extra?.stillInterested)
}

/** The fields with a later answer in them; as they were where there is no room for it. */
export function withStillInterested(extra: Extra | undefined, at: Date): Extra {
  return withFields(extra, { stillInterested: at.toISOString() })
}

const LONGEST_EVIDENCE = 500

/**
 * What another tool noted of a consent, as its file says it, in a line. It is no receipt of ours.
 */
export function evidenceIn(extra: Extra | undefined): string | undefined {
  const line = extra?.evidence
  return typeof line === 'string' && line !== '' ? plainLine(line, LONGEST_EVIDENCE) : undefined
}

/** What somebody answered, kept among their `Extra`. */
export function answerIn(extra: Extra | undefined): string | undefined {
  const answer = extra?.answer
  const isOne = typeof answer === 'string' && answer !== '' && !/\p{Cc}/u.test(answer)
  return isOne && answer.length <= LONGEST_ANSWER ? answer : undefined
}
