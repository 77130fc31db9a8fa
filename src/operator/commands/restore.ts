import type { Copies } from '../../store/backups.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Out } from '../terminal/out.ts'
import { counted, grouped } from '../terminal/words.ts'
import type { CopyOptions } from './backup.ts'

export interface RestoreOptions extends CopyOptions {
  /** Only checks the copy; changes nothing. */
  readonly check?: boolean
}

/** `restore`: adds what a copy has and the store has not. */
export async function restore(copies: Copies, options: RestoreOptions, out: Out) {
  const { file, check, json } = options
  if (check) {
    const copy = await copies.check(file)
    if (json) await out.write(`${JSON.stringify(copy)}\n`)
    else
      out.say(
        `The copy is whole: ${counted(copy.subscribers, 'subscriber')}, ${counted(copy.announcements, 'announcement')}.`,
      )
    return exitCodes.done
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
      'Who was still to be told when the copy was made is uncertain now: they may have been told since.',
    )
  if (refused > 0)
    out.say(`${counted(refused, 'row')} of it stay out: no list of ours has written them.`)
  return refused > 0 ? exitCodes.partly : exitCodes.done
}
