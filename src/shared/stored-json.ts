/**
 * An object that was stored as JSON, as a text or parsed. @returns `undefined` for anything else.
 */
export function objectIn(json: unknown): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = typeof json === 'string' ? JSON.parse(json) : json
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** Whether it is a whole number from 0 on. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
