import { type Copies, type Copy, difference, type RestoreReading } from '../../store/backups.ts'
import type { ListHolds } from '../../store/list-hold.ts'
import { holdInWords, leftOutInWords, sealInWords } from '../back-up/seal-words.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Out } from '../terminal/out.ts'
import { counted, grouped, inARow, localTime } from '../terminal/words.ts'

export interface RestoreOptions extends RestoreReading {
  /** What is read, which may be another file than the operator named: that one was encrypted. */
  readonly file: string
  readonly named: string
  readonly json?: boolean | undefined
  /** The operator says that the copy, and the list with it, is right. */
  readonly listIsRight?: boolean | undefined
  /** The newest copy of this list that is known, if any is. */
  readonly newestKnown?: (() => Promise<Date | undefined>) | undefined
}

/** `restore`: adds what a copy has and the store has not. */
export async function restore(
  store: ListHolds,
  copies: Copies,
  { file, named, json, listIsRight, newestKnown, ...reading }: RestoreOptions,
  out: Out,
) {
  const restored = await copies.restore(file, reading)
  if (listIsRight) await store.endListHold()
  // Of this copy, or of one that was restored before.
  const hold = await store.listHold()
  const { added, known, forgotten, refused, announcements, seal, madeAt } = restored
  if (json) await out.write(`${JSON.stringify({ ...restored, held: hold?.why })}\n`)
  else
    out.say(
      `${grouped(added)} brought back, ${grouped(known)} known, ${grouped(forgotten)} stay forgotten; ${counted(announcements, 'announcement')} brought back.`,
    )
  const isBelieved = seal === 'whole' || reading.isBelieved
  if (madeAt)
    out.say(`The copy ${isBelieved ? 'was' : 'says that it was'} made ${localTime(madeAt)}.`)
  const newest = await newestKnown?.()
  if (newest && (!madeAt || newest > madeAt))
    out.say(
      out.style.red(
        `THERE IS A NEWER COPY, of ${localTime(newest)}. If the list was empty, restore that one as well: who left in between is back otherwise.`,
      ),
    )
  if (restored.opening)
    out.say(`The page opens as the copy has it, and its button leads to ${restored.opening}`)
  if (announcements > 0)
    out.say(
      'If anybody was still to be told when the copy was made, they are uncertain now: they may have been told since.',
    )
  if (refused > 0)
    out.say(`${counted(refused, 'row')} of it stay out: no list of ours has written them.`)
  if (isBelieved) {
    if (seal === 'whole' || seal === 'wrong') out.say(sealInWords[seal])
    if (hold) out.say(out.style.red(holdInWords(hold)))
  } else out.say(out.style.red(`${sealInWords[seal]} ${leftOutInWords(named)}`))
  return hold || refused > 0 ? exitCodes.partly : exitCodes.done
}

/** `restore --check`: says what is in a copy; changes nothing. */
export async function checkCopy(
  copies: Copies,
  { file, json, ...reading }: RestoreOptions,
  out: Out,
) {
  const { subscribers, announcements, made, content, keys, seal } = await copies.check(
    file,
    reading,
  )
  const changed = made && difference(content, made.content)
  const found = { madeAt: made?.at ?? null, changed: changed ?? null, keys: Object.keys(keys) }
  const all = { subscribers, announcements, ...found, seal }
  if (json) await out.write(`${JSON.stringify(all)}\n`)
  else {
    sayWhatIsInIt({ subscribers, announcements, ...found }, out)
    out.say(seal === 'whole' ? sealInWords.whole : out.style.red(sealInWords[seal]))
  }
  if (changed !== undefined || seal === 'wrong') return exitCodes.failed
  return seal === 'whole' || reading.isBelieved ? exitCodes.done : exitCodes.partly
}

/** `restore --list-is-right`: announcements may leave again. */
export async function endHold(store: ListHolds, out: Out) {
  const wasHeld = await store.endListHold()
  out.say(wasHeld ? 'Announcements may leave again.' : 'The list was not held.')
  return exitCodes.done
}

interface Found extends Copy {
  readonly madeAt: Date | null
  readonly changed: string | null
  readonly keys: readonly string[]
}

function sayWhatIsInIt({ subscribers, announcements, madeAt, changed, keys }: Found, out: Out) {
  const made = madeAt ? `, made ${localTime(madeAt)},` : ''
  out.say(
    `The copy${made} is whole: ${counted(subscribers, 'subscriber')}, ${counted(announcements, 'announcement')}.`,
  )
  if (keys.length > 0) out.say(`It has ${inARow(keys)}.`)
  if (changed !== null)
    out.say(out.style.red(`It does not hold what it held when it was made: ${changed}.`))
}
