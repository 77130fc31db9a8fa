import { tell } from '../report/tell.ts'
import type { Note } from '../shared/report.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Out } from '../terminal/out.ts'

/** Prints what a command looked for, also what is good. @returns the exit code. */
export async function sayNotes(notes: readonly Note[], json: boolean | undefined, out: Out) {
  await tell(
    { title: '', parts: [{ part: 'notes', notes }] },
    { json: json ?? false, all: true },
    out,
  )
  return notes.some(({ weight }) => weight === 'bad') ? exitCodes.failed : exitCodes.done
}
