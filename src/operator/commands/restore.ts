import { type Copies, type Copy, difference } from '../../store/backups.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Out } from '../terminal/out.ts'
import { counted, grouped, inARow, localTime } from '../terminal/words.ts'
import type { CopyOptions } from './backup.ts'

export interface RestoreOptions extends CopyOptions {
  /** Only checks the copy; changes nothing. */
  readonly check?: boolean
}

/** `restore`: adds what a copy has and the store has not. */
export async function restore(copies: Copies, options: RestoreOptions, out: Out) {
  const { file, check, json } = options
  if (check) {
    const { subscribers, announcements, made, content, keys } = await copies.check(file)
    const changed = made && difference(content, made.content)
    const found = { madeAt: made?.at ?? null, changed: changed ?? null, keys: Object.keys(keys) }
    if (json) await out.write(`${JSON.stringify({ subscribers, announcements, ...found })}\n`)
    else sayWhatIsInIt({ subscribers, announcements, ...found }, out)
    return changed === undefined ? exitCodes.done : exitCodes.failed
  }
  const restored = await copies.restore(file)
  const { added, known, forgotten, refused, announcements } = restored
  if (json) await out.write(`${JSON.stringify(restored)}\n`)
  else
    out.say(
      `${grouped(added)} brought back, ${grouped(known)} known, ${grouped(forgotten)} stay forgotten; ${counted(announcements, 'announcement')} brought back.`,
    )
  if (restored.opening)
    out.say(`The page opens as the copy has it, and its button leads to ${restored.opening}`)
  if (announcements > 0)
    out.say(
      'If anybody was still to be told when the copy was made, they are uncertain now: they may have been told since.',
    )
  if (refused > 0)
    out.say(`${counted(refused, 'row')} of it stay out: no list of ours has written them.`)
  return refused > 0 ? exitCodes.partly : exitCodes.done
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
