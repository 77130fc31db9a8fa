import { type FaultReport, faultReport } from '../../shared/fault-report.ts'

/**
 * A fault of ours as an operator may pass it on: what it is and where. Without any message: that of
 * a library may hold an address, a token or a password.
 */
export function faultText(error: unknown): string {
  return `A fault of Opening Bell: ${described(faultReport(error))}`
}

/** A fault in one line, such as SQLite's own words; without them where they may quote an address. */
export function faultLine(error: unknown): string {
  const { type, message } = faultReport(error)
  return `${message.replaceAll('\n', ' ')} (${type})`
}

function described({ type, code, stack, cause }: FaultReport): string {
  const name = code === undefined ? type : `${type} (${code})`
  return [name, stack, cause && `caused by ${described(cause)}`].filter(Boolean).join('\n')
}
