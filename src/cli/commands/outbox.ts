import { outboxReport } from '../../report/makers/outbox.ts'
import { type Telling, tell } from '../../report/tell.ts'
import type { Brake } from '../../shared/held-letters.ts'
import type { Requests } from '../../store/store.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { runWithStore } from '../run.ts'

export interface OutboxOptions extends Telling {
  /** Releases the letters that wait for this reason. */
  readonly release?: Brake
}

type OutboxStore = Pick<Requests, 'heldLetters' | 'releaseLetters' | 'counts'>

/**
 * `outbox`: counts the letters that have yet to leave, and shows or releases those that are held.
 */
export async function outbox(
  store: OutboxStore,
  { release, ...telling }: OutboxOptions,
  out: Out,
): Promise<number> {
  const released = release && (await store.releaseLetters(release))
  await tell(await outboxReport(store, released), telling, out)
  return exitCodes.done
}

export const fromCommandLine = (options: OutboxOptions) =>
  runWithStore({ looks: true }, (store, out) => outbox(store.requests, options, out))
