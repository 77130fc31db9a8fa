import { reportOfPerson } from '../../report/makers/person.ts'
import { type Telling, tell } from '../../report/tell.ts'
import { personOf } from '../../store/person.ts'
import type { Store } from '../../store/store.ts'
import { readEmail } from '../../terminal/email-argument.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { runWithStore } from '../run.ts'

export interface FindOptions extends Telling {
  readonly email: string
  readonly linkKey: Buffer
}

/** `find`: everything that is known of an address, for example to find out why no mail came. */
export async function find(store: Store, options: FindOptions, out: Out) {
  const person = await personOf(store, readEmail(options.email), options.linkKey)
  await tell(reportOfPerson(person), options, out)
  return person.subscribedAt ? exitCodes.done : exitCodes.partly
}

export const fromCommandLine = (options: Telling, email: string) =>
  runWithStore({ looks: true }, (store, out, { linkKey }) =>
    find(store, { ...options, email, linkKey }, out),
  )
