import type { Report } from '../shared/report.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Out } from '../terminal/out.ts'
import { asJson } from './json.ts'
import { inText } from './terminal.ts'

export interface Telling {
  readonly json?: boolean
  /** Also what is zero or good, and all rows. */
  readonly all?: boolean
}

/** Writes a report as the result of a command. @returns its exit code. */
export async function tell(report: Report, { json, all }: Telling, out: Out): Promise<number> {
  if (json) await out.json(asJson(report))
  else await out.write(inText(report, { style: out.style, all }))
  return exitCodes.done
}
