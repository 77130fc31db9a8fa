import { reportOfConsent } from '../../report/makers/person.ts'
import { type Telling, tell } from '../../report/tell.ts'
import { personOf } from '../../store/person.ts'
import type { Store } from '../../store/store.ts'
import { readEmail } from '../../terminal/email-argument.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { runWithStore } from '../run.ts'

export interface ConsentOptions extends Telling {
  readonly email: string
  readonly linkKey: Buffer
}

/** `consent`: the receipt of a subscriber who confirmed, or how far asking has come. */
export async function consent(store: Store, options: ConsentOptions, out: Out) {
  const person = await personOf(store, readEmail(options.email), options.linkKey)
  await tell(reportOfConsent(person), options, out)
  return person.consent ? exitCodes.done : exitCodes.partly
}

export const fromCommandLine = (options: Telling, email: string) =>
  runWithStore({ looks: true }, (store, out, { linkKey }) =>
    consent(store, { ...options, email, linkKey }, out),
  )
