import type { Consent, Pending } from '../../people/pending.ts'
import { askedOf, personOf } from '../../store/person.ts'
import type { Store } from '../../store/store.ts'
import { readEmail } from '../../terminal/email-argument.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { stood } from '../../terminal/standing-words.ts'
import { columns, localTime } from '../../terminal/words.ts'
import { runWithStore } from '../run.ts'

export interface ConsentOptions {
  readonly email: string
  readonly linkKey: Buffer
  readonly json?: boolean
}

/** `consent`: the receipt of a subscriber who confirmed, or the state of the question. */
export async function consent(store: Store, options: ConsentOptions, out: Out) {
  const email = readEmail(options.email)
  const person = await personOf(store, email, options.linkKey)
  const { consent, evidence, standing } = person
  const asked = askedOf(person)
  if (options.json) {
    // Networks are for counting letters, and no part of what somebody agreed to.
    const request = asked ? { ...asked, networks: undefined } : null
    const found = { email, consent: consent ?? null, asked: request, evidence }
    await out.json({ ...found, standing: standing ?? null })
  } else {
    const no = evidence ? 'not here, and not asked' : 'no, and not asked'
    const rows = [
      ...(consent ? receipt(consent) : asked ? [] : [['confirmed', no]]),
      ...(evidence ? [['evidence from elsewhere', evidence]] : []),
      ...(asked ? soFar(asked) : []),
      ...(standing ? [[standing.standing, stood(standing)]] : []),
    ]
    await out.write(`${out.style.bold(email)}\n${columns(rows)}\n`)
  }
  return consent ? exitCodes.done : exitCodes.partly
}

function receipt(consent: Consent): string[][] {
  const { askedAt, askedFrom, messageId, letterDigest } = consent
  const { confirmedAt, confirmedFrom, how } = consent
  const at = (time: string, from: string | undefined) =>
    `${localTime(new Date(time))}${from ? ` from ${from}` : ''}`
  return [
    ...shown(consent),
    ['asked', at(askedAt, askedFrom)],
    ['letter', messageId],
    ['its digest', letterDigest],
    ['confirmed', `${at(confirmedAt, confirmedFrom)}, by the ${how} of the letter`],
  ]
}

/** Of subscribers from before, only the letter is known, and no form. */
function shown({ words, page, language, listedAt }: Consent): string[][] {
  if (!listedAt)
    return [
      ['shown', `"${words}"`],
      ['page', `${page}, language ${language}`],
    ]
  return [
    [
      'on the list',
      `since ${localTime(new Date(listedAt))}, from before confirmation was asked for`,
    ],
    ['shown', `the question "${words}", by a letter, language ${language}`],
  ]
}

function soFar({ askedAt, letters, lastLetterAt, failure, noAt, yesAt }: Pending): string[][] {
  const last = lastLetterAt ? `, the last ${localTime(lastLetterAt)}` : ''
  return [
    ['asked', localTime(askedAt)],
    ['letters', `${letters}${last}${failure ? `, "${failure}"` : ''}`],
    ['confirmed', noAt ? (yesAt ? 'no, both buttons were pressed' : 'said no') : 'no'],
  ]
}

export const fromCommandLine = (options: Pick<ConsentOptions, 'json'>, email: string) =>
  runWithStore({ looks: true }, (store, out, { linkKey }) =>
    consent(store, { ...options, email, linkKey }, out),
  )
