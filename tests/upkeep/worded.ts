import { refusalInWords } from '../../src/cli/words/refusals.ts'
import { Refusal } from '../../src/upkeep/refusal.ts'

/** What upkeep does; what it refuses is thrown in the words that the tool has for it. */
export async function worded<T>(work: Promise<T> | (() => T)): Promise<T> {
  try {
    return await (typeof work === 'function' ? work() : work)
  } catch (error) {
    throw error instanceof Refusal ? new Error(refusalInWords(error)) : error
  }
}
