import { countNewcomers } from '../../../announcement/newcomers.ts'
import { unsent } from '../../../announcement/unsent.ts'
import type { LetterSeen } from '../../../report/makers/finding.ts'
import { readSeldom } from '../../../shared/read-seldom.ts'
import { shellWord } from '../../../shared/shell-word.ts'
import type { Run } from '../../../store/run.ts'
import type { LetterProgress } from '../../contract/letters.ts'
import type { LetterDesk } from './letter-desk.ts'
import { fromOptions } from './sending-settings.ts'
import { isOpen, progressOf, type Standing, stateOf } from './standing.ts'

const SHOWN = 50

/** The letter as reports tell of it. */
export const seenOf = (
  { folder }: Pick<LetterDesk, 'folder'>,
  letter: string,
  standing: Standing,
): LetterSeen => ({
  command: `announce ${shellWord(folder.fileOf(letter))}`,
  letter,
  isOpen: isOpen(standing),
})

/** @returns a function that says how far the announcement of a letter is. */
export function letterProgress(desk: LetterDesk) {
  const { store } = desk

  // Looked up less often than the numbers, since it may read many rows to find few.
  const withoutIt = remembered(async (name) => {
    const { isRunning } = await desk.standingOf(name)
    return unsent(store.ledger, name, SHOWN, isRunning ? [] : ['sending'])
  }, 3_000)

  const newcomersOf = remembered(async (name) => {
    const announcement = await store.ledger.findAnnouncement(name)
    const { run } = await desk.standingOf(name)
    return announcement ? countNewcomers(store, announcement, settingsOf(run)) : 0
  }, 10_000)

  return async (name: string, standing?: Standing): Promise<LetterProgress> => {
    const known = standing ?? (await desk.standingOf(name))
    const { announcement, tally } = known
    const { failed, uncertain, suppressed, forgotten } = tally
    const count = Math.min(SHOWN, failed + uncertain + suppressed + forgotten)
    let rows = count > 0 ? await withoutIt.look(name) : []
    // After the end nothing moves any more, so what was remembered a moment before it would stay.
    if (!known.isRunning && rows.length !== count) {
      withoutIt.forget(name)
      rows = await withoutIt.look(name)
    }
    const isOver = ['partly', 'told', 'stopped', 'interrupted'].includes(stateOf(known))
    const newcomers = announcement && isOver ? await newcomersOf.look(name) : 0
    return progressOf(known, { seen: seenOf(desk, name, known), unsent: rows, newcomers })
  }
}

/** As the desk sent it last. */
export const settingsOf = (run: Run | undefined) => fromOptions(run?.notes.options ?? [])

/** `readSeldom` for results that are looked up by a name. */
export function remembered<T>(look: (name: string) => Promise<T>, leastMs: number) {
  const readers = new Map<string, () => Promise<T>>()
  return {
    look(name: string): Promise<T> {
      const read = readers.get(name) ?? readSeldom(() => look(name), leastMs)
      readers.set(name, read)
      return read()
    },
    /** Something was changed, so the remembered result is out of date. */
    forget: (name: string) => readers.delete(name),
  }
}
