/** The report of a fault of ours: its kind and place, without text from visitors. */
export interface FaultReport {
  readonly type: string
  readonly code?: string | number
  readonly message: string
  readonly stack: string
  readonly cause?: FaultReport
}

/** Node's errors, and those of many libraries. */
interface Coded extends Error {
  readonly code?: string | number
}

const LEFT_OUT = '(left out, since it may quote an address)'

/**
 * Describes an error. Libraries quote values in messages and add more of them to their errors: a
 * message with an @, or with the dots of a shortened quotation, is left out, and so is everything
 * except code, calls and cause.
 */
export function faultReport(error: unknown): FaultReport {
  if (!(error instanceof Error)) return { type: typeof error, message: LEFT_OUT, stack: '' }
  const { name, code, message, stack = '', cause } = error as Coded
  const calls = stack
    .replace(message, '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
  return {
    type: name,
    ...(code !== undefined && { code }),
    message: /@|\.\.\./.test(message) ? LEFT_OUT : message,
    stack: calls.join('\n'),
    ...(cause !== undefined && { cause: faultReport(cause) }),
  }
}
