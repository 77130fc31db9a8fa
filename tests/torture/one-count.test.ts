/** @module-tag thorough */
import { expect, it } from 'vitest'
import { oneCount } from '../announcement/one-count.ts'
import { withFirestoreEmulator } from '../emulators/with-emulators.ts'
import { emptyFirestore, emptySqlite } from '../store/every-store.ts'
import { amount, chance, report, seed } from './form.ts'

const HISTORIES = amount(15, 1000)
const ON_FIRESTORE = amount(2, 20)
/** Short histories have other ends than long ones. */
const eventsOf = (n: number) => 5 + (n % 36)

const emulator = withFirestoreEmulator()

it('terminal, JSON, desk, notice and ledger say the same numbers of a run, after any history', {
  timeout: amount(240_000, 3_600_000),
}, async (context) => {
  const found = { people: 0, stopped: 0 }
  for (let n = 0; n < HISTORIES + ON_FIRESTORE; n += 1) {
    const isSqlite = n < HISTORIES
    const store = isSqlite ? await emptySqlite() : await emptyFirestore(emulator().origin)
    try {
      const { people, hasStopped } = await oneCount(
        store,
        chance(seed + n),
        isSqlite ? eventsOf(n) : 20,
      )
      found.people += people
      if (hasStopped) found.stopped += 1
    } catch (cause) {
      throw new Error(`seed ${seed + n}: ${(cause as Error).message}`, { cause })
    } finally {
      await store.close()
    }
  }
  expect(found.people).toBeGreaterThan(0)
  report(context, {
    done: 'histories before a run, whose numbers every face says',
    times: HISTORIES + ON_FIRESTORE,
    result: `the same in all places; ${found.people} letters, ${found.stopped} runs that stopped (seed ${seed})`,
  })
})
