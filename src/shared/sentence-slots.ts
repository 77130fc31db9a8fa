const SLOT = /\{(\w+)\}/g

/** The names of the slots in a sentence, such as `name` for `{name}`. */
export function slotsIn(sentence: string): string[] {
  return [...sentence.matchAll(SLOT)].map(([, name = '']) => name)
}

/** Puts values into the slots of a sentence. @param without a value; by default the slot stays. */
export function fill(
  sentence: string,
  values: Readonly<Record<string, string | number>>,
  without?: string,
): string {
  return sentence.replace(SLOT, (slot, name) => String(values[name] ?? without ?? slot))
}
