import { isOver } from '../../../announcement/waves/agreed.ts'
import type { Announcement } from '../../../store/delivery-ledger.ts'
import { localTime } from '../../terminal/words.ts'

/**
 * What is left to an announcement that goes out in waves. Only a command at a terminal sends those.
 *
 * @returns a sentence, or `undefined` where no wave is left
 */
export function wavesLeft(announcement: Announcement | undefined): string | undefined {
  const waves = announcement?.waves
  if (!waves || isOver(waves)) return undefined
  if (!waves.nextAt) return `Wave ${waves.number} is not whole.`
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return `The next wave is due ${localTime(waves.nextAt)} (${timeZone}).`
}

/** Who sends them. */
export const whoGoesOn = 'The command that it was started with goes on with it.'
