import type { Refusal } from '../../announcement/refusal.ts'
import type { Voice } from '../../announcement/run/announce-job.ts'
import type { LogLine } from '../../announcement/run/log-line.ts'
import { Refused } from '../../shared/refused.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { faultText } from '../../terminal/fault-text.ts'
import { OperatorError } from '../../terminal/operator-error.ts'

/** What may be an address, and is never logged. */
const ADDRESS = /[^\s"<>@\\]+@[^\s"<>@\\]+/g

/** Adds a line to the log of a run, which is its output. */
export function log(line: LogLine): void {
  process.stdout.write(`${JSON.stringify(line).replace(ADDRESS, '(address)')}\n`)
}

const nothing = () => {}

/** Logs the events of a run, without its progress. */
export const logVoice: Voice = {
  found: (found, may) => log({ code: 'found', found, may }),
  run: {
    settled: (uncertain) => uncertain > 0 && log({ code: 'settled', uncertain }),
    begun: (_, toSend) => log({ code: 'begun', toSend }),
    enlisting: nothing,
    result: nothing,
    waiting: nothing,
  },
}

/** Does the work of a run, and logs why it failed. */
export async function logged(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Refused) log({ code: 'refused', refusal: error.why as Refusal })
    else if (error instanceof OperatorError) log({ code: 'settings', mistakes: error.message })
    else if (error instanceof StoreUnavailable) log({ code: 'store-away', answer: error.message })
    else log({ code: 'fault', text: faultText(error) })
    process.exitCode = exitCodes.failed
  }
}
