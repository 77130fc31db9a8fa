import type { Out } from '../../terminal/out.ts'
import type { Report, Told } from '../../upkeep/report.ts'

/** Says what upkeep reports while it works. */
export function reportTo({ say }: Pick<Out, 'say'>): Report {
  return (code) => say(inWords[code])
}

const inWords: Readonly<Record<keyof Told, string>> = {
  'waits-for-other-back-up': 'Another back-up or rehearsal is under way: waiting for its end.',
}
