import { asRun } from '../../announcement/run/as-run.ts'
import { newHolder } from '../../announcement/run/dead-run.ts'
import { batches } from '../../shared/batches.ts'
import type { Store } from '../../store/store.ts'
import type { Out } from '../../terminal/out.ts'
import { localTime } from '../../terminal/words.ts'
import { type CountedFirstOptions, countedFirst, untilStopped } from './counted-first.ts'
import { type ForgetManyOptions, whereTheyAre } from './forget-many.ts'

export type ForgetEverybodyOptions = Pick<ForgetManyOptions, 'copies'> & CountedFirstOptions

type EverybodysStore = Pick<Store, 'list' | 'standings' | 'requests' | 'ledger' | 'lock' | 'hold'>

interface Meant {
  readonly email: string
  readonly at: Date
}

const BATCH = 100

/**
 * `forget --everybody`: erases all who are on the list or were asked to confirm, each as `forget`
 * does, once their number is given. Who comes after it has begun stays.
 *
 * @throws AnotherRuns while an announcement is under way.
 */
export async function forgetEverybody(
  store: EverybodysStore,
  options: ForgetEverybodyOptions,
  out: Out,
): Promise<number> {
  // No announcement begins meanwhile, and none goes on.
  return asRun(store.lock, newHolder(), () => erase(store, options, out))
}

async function erase(store: EverybodysStore, options: ForgetEverybodyOptions, out: Out) {
  const { signal, copies } = options
  const { meant, eraseRest } = everybodyUntil(store, new Date())
  const plan = {
    meant: () => untilStopped(meant(), signal),
    shown: ({ email, at }: Meant) => `${out.style.dim(localTime(at))}  ${email}`,
    async act(some: readonly Meant[]) {
      await store.standings.forgetAll(some.map(({ email }) => email))
      // An earlier run may have ended before it came to these.
      if (some.length === 0) await eraseRest()
      return some.length
    },
    noun: 'person',
    plural: 'people',
    done: 'forgotten',
    does: 'forgets',
    async after() {
      if (!signal.aborted) await eraseRest()
      const hold = await store.hold.get()
      return [
        await whereTheyAre(copies),
        'Announcements keep their numbers, and no address. A keyed hash of each address stays, so that no import or copy brings the address back.',
        ...(hold ? ['Announcements are still held back, as status says.'] : []),
      ].join(' ')
    },
  }
  return countedFirst(plan, options, out)
}

/** Who is meant at a time, and what is left where all of them are erased. */
function everybodyUntil(store: EverybodysStore, until: Date) {
  async function* meant(): AsyncIterable<Meant> {
    for await (const one of store.list.stream({ until, standing: 'all' }))
      yield { email: one.email, at: one.subscribedAt }
    yield* asked()
  }

  async function* asked(): AsyncIterable<Meant> {
    for await (const { email, askedAt } of store.requests.pending())
      if (askedAt < until && !(await store.list.find(email))) yield { email, at: askedAt }
  }

  /** Requests whose letter has yet to leave. */
  async function eraseRest() {
    await store.requests.dropRequests(until)
    // Their letter left while the others were erased.
    for await (const some of batches(asked(), BATCH))
      await store.standings.forgetAll(some.map(({ email }) => email))
  }

  return { meant, eraseRest }
}
