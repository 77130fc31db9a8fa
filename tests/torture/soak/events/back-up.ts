import { join } from 'node:path'
import product from '../../../../product.config.ts'
import { copiesIn } from '../../../../src/upkeep/back-up/copy-folder.ts'
import type { Life } from '../life.ts'

const DAY_MS = 86_400_000
/** Small enough that a week removes some. */
export const KEEP = '3,1,1'

/** The night's copy, as its timer makes it. Each night is a day of its own; the last one is last night. */
export async function backUp({ command, clock, days }: Life) {
  const night = Math.min(days - 1, Math.floor(clock.now()))
  const clockOfNight = {
    NODE_OPTIONS: `--import=${join(import.meta.dirname, '../other-day.ts')}`,
    SOAK_SHIFT_MS: String((night - days) * DAY_MS),
  }
  await command(['backup', '--keep', KEEP], clockOfNight)
}

/** The newest copy is restored into a scratch list, and compared. */
export async function rehearse({ command }: Life) {
  await command(['backup', '--rehearse'])
}

/** The copies that are there, the oldest first. */
export function copiesOf({ copies }: Pick<Life, 'copies'>) {
  return copiesIn(copies, product.appId)
}
