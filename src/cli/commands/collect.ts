import type { OpenedCollector } from '../../from-firestore/open-collector.ts'
import type { SubscriberList } from '../../store/store.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import type { Out } from '../../terminal/out.ts'
import { stopSignal } from '../../terminal/stop-signal.ts'
import { counted } from '../../terminal/words.ts'
import { collectAll, NOT_SET, whyNot } from '../collect-first.ts'
import { runWithStore } from '../run.ts'

export interface CollectOptions {
  readonly takeOver?: boolean
  readonly json?: boolean
  readonly signal: AbortSignal
}

/** `collect`: takes in what visitors of a page on Firebase wrote. */
export async function collect(
  list: SubscriberList,
  opened: OpenedCollector | undefined,
  { takeOver, json, signal }: CollectOptions,
  out: Out,
): Promise<number> {
  if (!opened) throw new OperatorError(NOT_SET)
  const end = await opened
    .inTurn(() => collectAll(opened, { takeOver, signal }, out))
    .catch((cause) => {
      throw cause instanceof StoreUnavailable ? new OperatorError(whyNot(cause)) : cause
    })
  const people = await list.count()
  if (json) await out.json({ ...end, people })
  else if (!end.isStopped)
    out.say(
      `${counted(end.takenIn, 'document')} taken in; ${counted(people, 'person', 'people')} on the list.`,
    )
  if (!end.isStopped) return exitCodes.done
  out.say('Stopped. The same command goes on where it was.')
  return exitCodes.stopped
}

export const fromCommandLine = (options: Omit<CollectOptions, 'signal'>) =>
  runWithStore({ takesIn: 'open' }, (store, out, { collector }) => {
    const signal = stopSignal(process, console.error)
    return collect(store.list, collector, { ...options, signal }, out)
  })
