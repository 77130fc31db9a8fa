import { isOver } from '../../../announcement/waves/agreed.ts'
import { wavesStopInWords } from '../../../shared/end-words.ts'
import { ownZone } from '../../../shared/time-zone.ts'
import type { Announcement } from '../../../store/delivery-ledger.ts'
import { localTime } from '../../../terminal/words.ts'

/** A waiting command begins at once; one that a timer starts may begin later. */
const MAY_BE_LATE_MS = 10 * 60_000

export interface WavesLeft {
  /** What comes next, in sentences. Only a command at a terminal sends the waves. */
  readonly words: string
  /** Whether the operator only has to wait; otherwise something has stopped. */
  readonly isBetween: boolean
}

/** The waves that an announcement has left; `undefined` where none is. */
export function wavesLeft(
  announcement: Announcement | undefined,
  now = Date.now(),
): WavesLeft | undefined {
  const waves = announcement?.waves
  if (!waves || isOver(waves)) return undefined
  const { number, stopped } = waves
  const goesOn = 'To go on, run the same command that began the waves, at a terminal.'
  const waits =
    'The same command that began the waves sends this one as well: leave it running at a terminal, or start it again by then.'
  if (stopped)
    return {
      words: `Stopped at wave ${number}: ${wavesStopInWords(stopped)}. ${goesOn} It names the option to add, if one is needed.`,
      isBetween: false,
    }
  if (!waves.endedAt || !waves.nextAt)
    return { words: `Wave ${number} is not finished. ${goesOn}`, isBetween: false }
  const time = `${localTime(waves.nextAt)} (${ownZone()})`
  return now - waves.nextAt.getTime() < MAY_BE_LATE_MS
    ? { words: `The next wave is due ${time}. ${waits}`, isBetween: true }
    : { words: `The next wave was due ${time}, and has not begun. ${goesOn}`, isBetween: false }
}
