import { Refused } from '../../announcement/refusal.ts'
import type { Voice } from '../../announcement/run/announce-job.ts'
import type { LogLine } from '../../announcement/run/log-line.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { faultText } from '../../terminal/fault-text.ts'
import { OperatorError } from '../../terminal/operator-error.ts'

/** What may be an address. None stands in what is logged, unless the letter itself has one in it. */
const ADDRESS = /[^\s"<>@\\]+@[^\s"<>@\\]+/g

/** Adds a line to the log of a run, which is where the output goes. */
export function log(line: LogLine): void {
  process.stdout.write(`${JSON.stringify(line).replace(ADDRESS, '(address)')}\n`)
}

const nothing = () => {}

/** Tells the log of a run what comes of it, and nothing that moves on the way. */
export const logVoice: Voice = {
  found: (found, may) => log({ code: 'found', found, may }),
  run: {
    settled: (uncertain) => uncertain > 0 && log({ code: 'settled', uncertain }),
    begun: (_, toSend) => log({ code: 'begun', toSend }),
    enlisting: nothing,
    result: nothing,
    waiting: nothing,
  },
  waves: { sent: async () => {}, waiting: nothing, left: nothing, away: nothing },
}

/** Does the work of a run, and keeps in its log why it could not. */
export async function logged(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Refused) log({ code: 'refused', refusal: error.refusal })
    else if (error instanceof OperatorError) log({ code: 'settings', mistakes: error.message })
    else if (error instanceof StoreUnavailable) log({ code: 'store-away', answer: error.message })
    else log({ code: 'fault', text: faultText(error) })
    process.exitCode = exitCodes.failed
  }
}
