import type { Store } from '../../store/store.ts'
import { readEmail } from '../../terminal/email-argument.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { runWithStore } from '../run.ts'

export interface UnsubscribeOptions {
  readonly emails: readonly string[]
  readonly json?: boolean
}

/** `unsubscribe`: for requests by mail or phone; does what the link in a letter does. */
export async function unsubscribe(
  store: Pick<Store, 'standings' | 'list'>,
  { emails, json }: UnsubscribeOptions,
  out: Out,
) {
  // At one mistake nothing is done, so that the command can be corrected and repeated.
  for (const email of emails.map(readEmail)) {
    await store.standings.set([{ email, standing: 'unsubscribed' }])
    const wasSubscriber = (await store.list.find(email)) !== undefined
    if (json) await out.json({ email, wasSubscriber })
    else
      await out.write(
        wasSubscriber
          ? `${email} gets no more letters.\n`
          : `${email} is not on the list. It is kept as unsubscribed, in case it is imported.\n`,
      )
  }
  return exitCodes.done
}

export const fromCommandLine = (options: { readonly json?: boolean }, emails: readonly string[]) =>
  runWithStore({}, (store, out) => unsubscribe(store, { ...options, emails }, out))
