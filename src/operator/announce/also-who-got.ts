import type { AlsoWhoGot } from '../../announcement/left-out.ts'
import type { RecipientSelection } from '../../announcement/recipient-selection.ts'
import type { Store } from '../../store/store.ts'
import { OperatorError } from '../terminal/operator-error.ts'

/** `--also-who-got`, which may come several times. */
export function readAlsoWhoGot(text: string, before: AlsoWhoGot = []): AlsoWhoGot {
  return text === 'all' || before === 'all' ? 'all' : [...before, text]
}

/** @throws OperatorError for an announcement that is not there. */
export async function checkAlsoWhoGot(
  store: Store,
  { alsoWhoGot }: RecipientSelection,
): Promise<void> {
  if (!alsoWhoGot || alsoWhoGot === 'all') return
  for (const name of alsoWhoGot)
    if (!(await store.findAnnouncement(name)))
      throw new OperatorError(`--also-who-got: there is no announcement "${name}"`)
}
