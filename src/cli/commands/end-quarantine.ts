import { batches } from '../../shared/batches.ts'
import type { Store } from '../../store/store.ts'
import { readEmail } from '../../terminal/email-argument.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import type { Out } from '../../terminal/out.ts'
import { localTime } from '../../terminal/words.ts'
import { type CountedFirstOptions, countedFirst, untilStopped } from './counted-first.ts'
import {
  allQuarantined,
  type Quarantined,
  type QuarantineSelection,
  rangeOf,
  selects,
} from './quarantined.ts'

type QuarantineStore = Pick<Store, 'list' | 'requests' | 'quarantine'>

/** What becomes of somebody who is quarantined. */
export type QuarantineEnd = 'release' | 'erase'

const BATCH = 100

const ends = {
  release: {
    done: 'released',
    does: 'releases',
    after: 'They may be mailed, and keep the time of their sign-up.',
  },
  erase: {
    done: 'erased',
    does: 'erases',
    after: 'Earlier back-ups and exports may still have them.',
  },
} as const

/** `quarantine --release` and `--erase` of many: first shows and counts whom it would be done to. */
export async function endQuarantineOfMany(
  store: QuarantineStore,
  end: QuarantineEnd,
  options: QuarantineSelection & CountedFirstOptions,
  out: Out,
) {
  const words = ends[end]
  const isMeant = await selects(options)
  const range = rangeOf(options)

  async function* meant() {
    for await (const one of untilStopped(allQuarantined(store, range), options.signal)) {
      // Those who were asked to confirm get on the list only by their own yes.
      if (one.isToConfirm && end === 'release') continue
      if (isMeant(one)) yield one
    }
  }

  const { dim, yellow } = out.style
  const plan = {
    ...words,
    meant,
    noun: 'sign-up',
    shown: ({ at, email, signs }: Quarantined) =>
      `${dim(localTime(at))}  ${email}  ${yellow(signs.join(', '))}`,
    act: async (some: readonly Quarantined[]) =>
      (await store.quarantine[end](some.map(({ email }) => email))).length,
  }
  return countedFirst(plan, options, out)
}

/** `quarantine --release` and `--erase` of some addresses. */
export async function endQuarantine(
  store: QuarantineStore,
  end: QuarantineEnd,
  { emails, json }: { readonly emails: readonly string[]; readonly json?: boolean },
  out: Out,
) {
  const { done } = ends[end]
  let isForAll = true
  // At one mistake nothing is done, so that the command can be corrected and repeated.
  for await (const some of batches(new Set(emails.map(readEmail)), BATCH)) {
    const ended = new Set(await store.quarantine[end](some))
    for (const email of some) {
      const isDone = ended.has(email)
      isForAll &&= isDone
      const words = isDone
        ? `is ${done}`
        : 'is not quarantined, or has yet to confirm: nothing is changed'
      if (json) await out.json({ email, [done]: isDone })
      else await out.write(`${email} ${words}.\n`)
    }
  }
  return isForAll ? exitCodes.done : exitCodes.partly
}
