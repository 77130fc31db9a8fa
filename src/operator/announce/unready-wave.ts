import type { Expected } from '../../announcement/expected.ts'
import { noteEnd } from '../../announcement/note-end.ts'
import type { RecipientSelection } from '../../announcement/recipient-selection.ts'
import { dueAt } from '../../announcement/waves/agreed.ts'
import type { Store } from '../../store/store.ts'
import type { Waves } from './waves-command.ts'

/**
 * Notes that a wave is due and that the pre-flight, with which a command begins, does not let it go:
 * who starts it by a timer or as a service does not see that. Who begins an announcement with a command
 * that stays does.
 *
 * @param wait whether the command stays until the last wave is sent. @throws StoreUnavailable
 */
export async function noteUnready(
  store: Store,
  { id, includeNew }: RecipientSelection,
  { plan }: Waves,
  { toSend }: Pick<Expected, 'toSend'>,
  wait: boolean,
): Promise<void> {
  const kept = (await store.findAnnouncement(id))?.waves
  if (wait && !kept) return
  // A timer goes on after the last wave, and between two there is time to put it right.
  if (toSend === 0) return
  const until = dueAt(kept, plan, includeNew)
  if (until && until > new Date()) return
  // What is being sent has not stopped.
  if (await store.lockHolder()) return
  await noteEnd(store, id, { why: 'unready', answer: '' })
}
