import type { Out } from '../../terminal/out.ts'
import { plain, printable } from '../../terminal/style.ts'

const MOST_LINES = 60

/** Keeps what a command says, for a page instead of a terminal. */
export function collectedOut(): Out & { lines(): readonly string[] } {
  const said: string[] = []
  const keep = (text: string) => {
    said.push(...printable(text).trimEnd().split('\n'))
    said.splice(0, Math.max(0, said.length - MOST_LINES))
  }
  return {
    write: async (text) => keep(text),
    say: keep,
    progress: () => {},
    style: plain,
    width: 80,
    lines: () => said,
  }
}
