/** @module-tag thorough */
import { it } from 'vitest'
import { oneCount } from '../announcement/one-count.ts'
import { emptySqlite } from '../fixtures/empty-sqlite.ts'
import { amount, chance, report, seed } from './form.ts'

const histories = amount(15, 1000)

it('terminal, JSON, desk, notice and ledger say the same numbers of a run, after any history', {
  timeout: amount(240_000, 3_600_000),
}, async (context) => {
  const found = { people: 0, stopped: 0 }
  // A few histories may leave nobody to tell: then another one is tried.
  for (let n = 0; n < histories || found.people === 0; n += 1) {
    const store = await emptySqlite()
    try {
      // Short histories have other ends than long ones.
      const { people, hasStopped } = await oneCount(store, chance(seed + n), 5 + (n % 36))
      found.people += people
      if (hasStopped) found.stopped += 1
    } catch (cause) {
      throw new Error(`seed ${seed + n}: ${(cause as Error).message}`, { cause })
    } finally {
      await store.close()
    }
  }
  report(context, {
    done: 'histories before a run, whose numbers every face says',
    times: histories,
    result: `the same in all places; ${found.people} letters, ${found.stopped} runs that stopped (seed ${seed})`,
  })
})
