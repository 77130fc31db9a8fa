/** The fields of a form or of a query, as texts; what is no text is left out. */
export interface Fields {
  /** The field of this name, or the first of several; empty where there is none. */
  (name: string): string
  /** All fields of this name, such as ticked boxes. */
  all(name: string): string[]
}

/** @param given the body of a form that was posted, or a query. */
export function fieldsOf(given: unknown): Fields {
  const fields = new Map(typeof given === 'object' && given !== null ? Object.entries(given) : [])
  const all = (name: string) =>
    [fields.get(name)].flat().filter((value) => typeof value === 'string')
  return Object.assign((name: string) => all(name)[0] ?? '', { all })
}
