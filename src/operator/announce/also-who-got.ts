import type { Part } from '../../announcement/expected.ts'
import type { AlsoWhoGot } from '../../announcement/left-out.ts'
import type { Store } from '../../store/store.ts'
import { Trouble } from '../terminal/out.ts'

/** `--also-who-got`, which may come several times. */
export function readAlsoWhoGot(text: string, before: AlsoWhoGot = []): AlsoWhoGot {
  return text === 'all' || before === 'all' ? 'all' : [...before, text]
}

/** @throws Trouble for an announcement that is not there. */
export async function checkAlsoWhoGot(store: Store, { alsoWhoGot }: Part): Promise<void> {
  if (!alsoWhoGot || alsoWhoGot === 'all') return
  for (const name of alsoWhoGot)
    if (!(await store.findAnnouncement(name)))
      throw new Trouble(`--also-who-got: there is no announcement "${name}"`)
}
