import { setImmediate as turn } from 'node:timers/promises'
import type { Out } from './out.ts'

/** Characters that are written together: each write of a line costs as much as finding it. */
const PIECE = 16_384

/** The result of a command that has many lines. `end` writes the rest of it. */
export function inPieces(out: Pick<Out, 'write'>) {
  let text = ''
  const end = async () => {
    const piece = text
    text = ''
    if (piece !== '') await out.write(piece)
    // What was written is let go of.
    await turn()
  }
  return {
    /** Nothing to wait for, where it is not written yet: a turn for each of a million costs a second. */
    line(line: string): Promise<void> | undefined {
      text += `${line}\n`
      return text.length >= PIECE ? end() : undefined
    },
    json(value: unknown) {
      return this.line(JSON.stringify(value))
    },
    end,
  }
}
