import { countNewcomers } from '../../../announcement/newcomers.ts'
import { unsent } from '../../../announcement/run/report.ts'
import { readSeldom } from '../../../shared/read-seldom.ts'
import type { Run } from '../../../store/run-lock.ts'
import { answerInWords, reasonInWords } from '../../../terminal/standing-words.ts'
import type { LetterProgress, UnsentRow } from '../../contract/letters.ts'
import type { LetterDesk } from './letter-desk.ts'
import { fromOptions } from './sending-settings.ts'
import { progressOf, type Standing, stateOf } from './standing.ts'

const SHOWN = 50

/** @returns a function that says how far the announcement of a letter is. */
export function letterProgress(desk: LetterDesk) {
  const { store } = desk

  // Looked up less often than the numbers, since it may read many rows to find few.
  const withoutIt = remembered(async (name) => {
    const rows: UnsentRow[] = []
    const { isRunning } = await desk.standingOf(name)
    const also = isRunning ? [] : (['sending'] as const)
    for await (const { email = null, status, answer, standing } of unsent(
      store.ledger,
      name,
      also,
    )) {
      rows.push({
        email,
        status: status === 'sending' ? 'uncertain' : status,
        answer: standing ? reasonInWords(standing) : answerInWords(answer ?? ''),
      })
      if (rows.length === SHOWN) break
    }
    return rows
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
    const unsentCount = failed + uncertain + suppressed + forgotten
    // After the end nothing moves any more, so what was remembered a moment before it would stay.
    const isOld = (rows: UnsentRow[]) => rows.length !== Math.min(unsentCount, SHOWN)
    let shown = unsentCount > 0 ? await withoutIt.look(name) : []
    if (!known.isRunning && isOld(shown)) {
      withoutIt.forget(name)
      shown = await withoutIt.look(name)
    }
    const isOver = ['partly', 'told', 'stopped', 'interrupted'].includes(stateOf(known))
    const newcomers = announcement && isOver ? await newcomersOf.look(name) : undefined
    return { ...progressOf(known), unsent: shown, unsentCount, ...(newcomers && { newcomers }) }
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
