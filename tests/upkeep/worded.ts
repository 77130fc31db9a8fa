import { errorInWords } from '../../src/cli/words/refusals.ts'
import { Refused } from '../../src/shared/refused.ts'

/** What upkeep does; what it refuses is thrown in the words that the tool has for it. */
export async function worded<T>(work: Promise<T> | (() => T)): Promise<T> {
  try {
    return await (typeof work === 'function' ? work() : work)
  } catch (error) {
    throw error instanceof Refused ? new Error(errorInWords(error)) : error
  }
}
