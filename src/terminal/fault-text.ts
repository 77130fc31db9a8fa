import { type FaultReport, faultReport } from '../shared/fault-report.ts'

/**
 * A fault of ours as the operator may pass it on: its kind and place. Without messages, since those
 * of libraries may hold an address, a token or a password.
 */
export function faultText(error: unknown): string {
  return `A fault of Opening Bell: ${described(faultReport(error))}`
}

function described({ type, code, stack, cause }: FaultReport): string {
  const name = code === undefined ? type : `${type} (${code})`
  return [name, stack, cause && `caused by ${described(cause)}`].filter(Boolean).join('\n')
}
