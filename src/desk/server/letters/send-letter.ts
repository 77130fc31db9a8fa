import { countRun } from '../../../announcement/outlook.ts'
import { thisMachine } from '../../../announcement/run/dead-run.ts'
import { OperatorError } from '../../../terminal/operator-error.ts'
import { counted, grouped } from '../../../terminal/words.ts'
import { isRetry, type LetterStage, mostIn } from '../../contract/letters.ts'
import { seen, startEngine, stopEngine } from './engine.ts'
import { type LetterDesk, mailOfDesk, usable } from './letter-desk.ts'
import { againIn, endedOf, isSame, ownEngine, problemsOf } from './progress.ts'
import { beginLog, noteInLog } from './run-log.ts'
import {
  asOptions,
  optionsOf,
  overriding,
  type readSending,
  selectionOf,
} from './sending-settings.ts'

export interface SendWanted {
  readonly stage: LetterStage
  /** The number of people that was typed. */
  readonly people: string
  /** The number of the run that the form is for. */
  readonly run: number
  /** The version of the letter that was looked at. */
  readonly version: string
  readonly isForced: boolean
  /** When the check was made whose problems were on the page; empty for none. */
  readonly checkedAt: string
  readonly sending: ReturnType<typeof readSending>
}

/**
 * Starts a run, if nothing has changed since the operator looked. The same form sent again starts
 * nothing.
 *
 * @throws OperatorError with what has changed; StoreUnavailable
 */
export async function sendLetter(
  desk: LetterDesk,
  name: string,
  wanted: SendWanted,
): Promise<void> {
  const { store, folder, root, env } = desk
  const { stage, run, version, isForced, checkedAt, sending } = wanted
  const isBegun = () => run < desk.nextRunOf(name)
  if (isBegun()) return
  if (sending.mistakes.length > 0) throw new OperatorError(sending.mistakes.join('\n'))
  const { missing } = mailOfDesk(desk)
  if (missing.length > 0) throw new OperatorError(missing.join('\n'))
  const standing = await desk.freshStandingOf(name)
  const holder = await store.lock.holder()
  if (standing.engine || (holder && seen(holder).is !== 'gone'))
    throw new OperatorError(
      'An announcement is being sent already. Wait for its end, or stop it, and then go on.',
    )
  const { alsoWhoGot } = sending.settings
  const { toSend: people } = await countRun(store, selectionOf(name, stage, alsoWhoGot))
  if (people === 0) throw new OperatorError('Nobody is left to send it to.')
  const most = mostIn(stage, { tally: standing.tally, again: againIn(standing.tally) })
  refuseOtherNumber(wanted.people, people, most)

  // No `await` from here to the log, so no other request comes between.
  if (usable(desk, name).version !== version)
    throw new OperatorError('The letter has changed since it was looked at. Nothing was sent.')
  // A problem that is new since the operator looked stops the run.
  const found = desk.checks.get(name)
  const seenProblems = [
    ...(found && String(found.check.at) === checkedAt ? found.problems : []),
    ...problemsOf(desk.runOf(name)),
  ]
  const args = [
    ...optionsOf(stage),
    ...asOptions(sending.settings),
    ...(isForced ? overriding(seenProblems) : []),
  ]
  const log = beginLog(folder.path, name, run, {
    stage,
    people,
    args,
    host: thisMachine(),
    at: new Date().toISOString(),
    before: endedOf(standing.tally) - (isRetry(stage) ? standing.tally[stage] : 0),
  })
  if (log === undefined) {
    if (isBegun()) return
    throw new OperatorError(
      'There was another run of this letter since that page was loaded. Look again. Nothing was sent.',
    )
  }
  const pid = await startEngine({ root, env }, folder.fileOf(name), args, log)
  noteInLog(folder.path, name, run, { pid })
  await desk.freshStandingOf(name)
}

/** @param most that the page shows without a check; some of these may have left since. */
function refuseOtherNumber(text: string, people: number, most: number): void {
  const typed = text.replace(/[\s,.’']/g, '')
  const isMeant = Number(typed) === people || (people < most && Number(typed) === most)
  if (!/^\d{1,9}$/.test(typed) || !isMeant)
    throw new OperatorError(
      `Nothing was sent: ${typed === '' ? 'no number' : `"${text.slice(0, 20)}"`} was typed, and the letter would go to ${counted(people, 'person', 'people')} now. Type ${grouped(people)} to send it.`,
    )
}

/**
 * Stops the process that sends this letter, after its messages under way. A second request does
 * nothing.
 */
export async function stopLetter(desk: LetterDesk, name: string): Promise<void> {
  const { engine, run } = await desk.freshStandingOf(name)
  if (!engine) throw new OperatorError('Nothing is being sent.')
  const isOurs = isSame(ownEngine(run), engine)
  // A second signal would end it at once, in the middle of a message.
  if (isOurs && run?.isStopAsked) return
  const id = `${engine.host} ${engine.pid}`
  if (stopped.has(id)) return
  stopEngine(engine, isOurs)
  stopped.add(id)
  if (isOurs && run)
    noteInLog(desk.folder.path, name, run.number, { stop: new Date().toISOString() })
  await desk.freshStandingOf(name)
}

const stopped = new Set<string>()
