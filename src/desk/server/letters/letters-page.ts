import { isDead } from '../../../announcement/run/dead-run.ts'
import { fieldsOf } from '../../../mail/letter/letter-source.ts'
import { say } from '../../../shared/say.ts'
import { type LockHolder, machineOf } from '../../../store/run.ts'
import {
  isRunning,
  type LetterRow,
  type LettersPage,
  peopleToTell,
} from '../../contract/letters.ts'
import { type LetterDesk, mistakesOf, wholeOf } from './letter-desk.ts'
import { isLetterName } from './letter-folder.ts'
import { stateOf } from './standing.ts'

/** The letters on the disk, and the announcements whose letters are elsewhere; the newest first. */
export async function lettersPage(desk: LetterDesk): Promise<LettersPage> {
  const { store, folder } = desk
  const kept = folder.list()
  const announcements = await store.ledger.announcements()
  const begun = announcements.filter(({ id }) => isLetterName(id))
  const names = new Set([...kept.map(({ name }) => name), ...begun.map(({ id }) => id)])
  const letters = await Promise.all(
    [...names].map(async (name): Promise<LetterRow> => {
      const file = kept.find((one) => one.name === name)
      const read = file && wholeOf(desk, file)
      const standing = await desk.standingOf(name)
      const { announcement, tally } = standing
      return {
        name,
        subject:
          announcement?.subject ??
          read?.letter?.subject ??
          fieldsOf(file?.source ?? '')?.subject ??
          '',
        at: (file?.changedAt ?? announcement?.begunAt ?? new Date(0)).getTime(),
        languages: read?.translations.map(({ code }) => code) ?? [],
        mistakes: read ? mistakesOf(read).length : 0,
        state: stateOf(standing),
        told: tally.sent,
        of: peopleToTell(announcement?.eligible ?? 0, tally),
      }
    }),
  )
  const isSent = letters.some(({ state }) => isRunning(state))
  const holder = isSent ? undefined : await store.lock.holder()
  return {
    page: 'letters',
    letters: letters.toSorted((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1)),
    folder: folder.path,
    ...(holder && !isDead(holder) && { elsewhere: whatRuns(holder) }),
  }
}

function whatRuns(holder: LockHolder): string {
  return say('A letter is being sent on {machine}, by process {pid}.', {
    machine: machineOf(holder),
    pid: holder.pid,
  })
}
