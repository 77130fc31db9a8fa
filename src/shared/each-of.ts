/** All parts of a list that are not empty, each once; nothing where one of them is wrong. */
export function eachOf<T>(parts: readonly string[], parse: (part: string) => T | undefined) {
  const values = parts.filter((part) => part !== '').map(parse)
  return values.includes(undefined) ? undefined : [...new Set(values as T[])]
}
