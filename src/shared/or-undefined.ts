/** What `read` gives; `undefined` where it throws, as for a file that is not there. */
export function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
