/**
 * An object that was stored as JSON, as a text or parsed. @returns `undefined` for anything else.
 */
export function objectIn(json: unknown): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = typeof json === 'string' ? JSON.parse(json) : json
    if (typeof value !== 'object' || value === null) return undefined
    // An array has methods of names that a field may have.
    return Array.isArray(value) ? { ...value } : (value as Readonly<Record<string, unknown>>)
  } catch {
    return undefined
  }
}

/** Those fields of an object that can be read. */
export function fieldsOf<Name extends string, T>(
  row: Readonly<Record<string, unknown>>,
  names: readonly Name[],
  isRead: (value: unknown) => value is T,
): { readonly [name in Name]?: T } {
  const read = names.flatMap((name) => {
    const value = row[name]
    return isRead(value) ? [[name, value] as const] : []
  })
  return Object.fromEntries(read) as { readonly [name in Name]?: T }
}

/** Whether it is a time that a date can be, in milliseconds since 1970. */
export const isTime = (value: unknown): value is number => isCount(value) && value <= 8.64e15

export const isText = (value: unknown): value is string => typeof value === 'string'

/** Whether it is a whole number from 0 on. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
