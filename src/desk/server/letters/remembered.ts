import { readSeldom } from '../../../shared/read-seldom.ts'

/** `readSeldom` for results that are looked up by a name. */
export function remembered<T>(look: (name: string) => Promise<T>, leastMs: number) {
  const readers = new Map<string, () => Promise<T>>()
  return {
    look(name: string): Promise<T> {
      const read = readers.get(name) ?? readSeldom(() => look(name), leastMs)
      readers.set(name, read)
      return read()
    },
    /** Something was changed, so the remembered result is out of date. */
    forget: (name: string) => readers.delete(name),
  }
}
