import type { Expected } from '../../announcement/expected.ts'
import { leftOutOf } from '../../announcement/left-out.ts'
import type { RecipientSelection } from '../../announcement/recipient-selection.ts'
import { recipients } from '../../announcement/recipients.ts'
import type { Store } from '../../store/store.ts'
import type { Out } from '../terminal/out.ts'
import { counted } from '../terminal/words.ts'

/** The end of a dry run: writes who would get a letter, and says how many. @throws StoreUnavailable */
export async function listRecipients(
  store: Store,
  selection: RecipientSelection,
  ahead: Expected,
  { json }: { readonly json?: boolean },
  out: Out,
): Promise<void> {
  let count = 0
  for await (const { email, subscribedAt } of recipients(store, selection, ahead)) {
    count += 1
    await out.write(json ? `${JSON.stringify({ email, subscribedAt })}\n` : `${email}\n`)
    out.progress(`${counted(count, 'recipient')} so far`)
  }
  const others = leftOutOf(ahead.leftOut)
  const left = others > 0 ? `, ${counted(others, 'other')} left out` : ''
  out.say(`${counted(count, 'subscriber')} would get it${left}. Nothing was sent.`)
}
