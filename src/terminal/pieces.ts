import type { Out } from './out.ts'

/** Characters that are written together: each write of a line costs as much as finding it. */
const PIECE = 8192

/** The result of a command that has many lines. `end` writes the rest of it. */
export function inPieces(out: Pick<Out, 'write'>) {
  let text = ''
  const end = async () => {
    const piece = text
    text = ''
    if (piece !== '') await out.write(piece)
  }
  return {
    async line(line: string) {
      text += `${line}\n`
      if (text.length >= PIECE) await end()
    },
    json(value: unknown) {
      return this.line(JSON.stringify(value))
    },
    end,
  }
}
