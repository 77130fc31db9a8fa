import type { ChildProcess } from 'node:child_process'
import { countRun } from '../../../announcement/outlook.ts'
import { takeLock } from '../../../announcement/run/as-run.ts'
import { isAnnouncer, isDead, newHolder, thisMachine } from '../../../announcement/run/dead-run.ts'
import { againIn } from '../../../report/makers/run.ts'
import { type LetterStage, letterStages } from '../../../shared/letter-stages.ts'
import { say } from '../../../shared/say.ts'
import { machineOf, type NewRun } from '../../../store/run.ts'
import { OperatorError } from '../../../terminal/operator-error.ts'
import { counted, grouped } from '../../../terminal/words.ts'
import { goesOnWith, mostIn } from '../../contract/letters.ts'
import { type LetterDesk, usable } from './letter-desk.ts'
import { asOptions, overriding, type readSending, selectionOf } from './sending-settings.ts'
import { problemsOf, type Standing, stateOf } from './standing.ts'
import { startCommand } from './start-command.ts'

export interface SendWanted {
  readonly stage: LetterStage
  /** The number of people that was typed. */
  readonly people: string
  /** The number of the run that the form is for. */
  readonly run: number
  /** The version of the letter that was looked at. */
  readonly version: string
  readonly isForced: boolean
  /** Whether it goes on with a run that was interrupted, for which the number was typed. */
  readonly isGoingOn: boolean
  /** When the check was made whose problems were on the page; empty for none. */
  readonly checkedAt: string
  readonly sending: ReturnType<typeof readSending>
}

/**
 * Begins a run and starts the command that sends it, if nothing has changed since the operator
 * looked. The same form sent again starts nothing.
 *
 * @throws OperatorError with what has changed; StoreUnavailable
 */
export async function sendLetter(
  desk: LetterDesk,
  name: string,
  wanted: SendWanted,
): Promise<void> {
  const { store } = desk
  const { stage, version, isForced, isGoingOn, checkedAt, sending } = wanted
  if (await isBegun(desk, name, wanted.run)) return
  if (sending.mistakes.length > 0) throw new OperatorError(sending.mistakes.join('\n'))
  const { missing } = desk.settings
  if (missing.length > 0) throw new OperatorError(missing.join('\n'))
  const standing = await desk.standingOf(name)
  const { alsoWhoGot } = sending.settings
  const { toSend: people } = await countRun(store, selectionOf(name, stage, alsoWhoGot))
  if (people === 0) throw new OperatorError(say('Nobody is left to send it to.'))
  if (!isGoingOn || !mayGoOn(standing, stage)) {
    const most = mostIn(stage, { tally: standing.tally, again: againIn(standing.tally) })
    refuseOtherNumber(wanted.people, people, most)
  }
  // A problem that is new since the operator looked stops the run.
  const found = desk.checks.get(name)
  const seenProblems = [
    ...(found && String(found.check.at) === checkedAt ? found.problems : []),
    ...problemsOf(standing.run),
  ]
  const isForcedOn = isGoingOn && standing.run?.notes.sending !== undefined
  const options = asOptions(sending.settings)
  const args = [
    ...letterStages[stage].options,
    ...options,
    ...(isForced || isForcedOn ? overriding(seenProblems) : []),
  ]
  const run = { ...newHolder(), announcement: name, number: wanted.run }
  // No `await` from here until it is beginning, so that the letter does not change meanwhile.
  if (usable(desk, name).version !== version)
    throw new OperatorError(say('The letter has changed since it was looked at. Nothing was sent.'))
  beginning.add(name)
  await begin(
    desk,
    name,
    { ...run, notes: { next: 'begin', stage, options, isFromDesk: true } },
    args,
  ).finally(() => beginning.delete(name))
}

const beginning = new Set<string>()

/** Whether a run of this letter is being begun, and may not be in the store yet. */
export const isBeginning = (name: string) => beginning.has(name)

/** The run that was interrupted is gone on with as it was begun. */
const mayGoOn = (standing: Standing, stage: LetterStage) =>
  stateOf(standing) === 'interrupted' && goesOnWith(standing.run?.notes.stage) === stage

/**
 * Whether a run of this number was begun already.
 *
 * @throws OperatorError where another one is under way, or was since; StoreUnavailable
 */
async function isBegun({ store }: LetterDesk, name: string, number: number): Promise<boolean> {
  const holder = await store.lock.holder()
  const { number: last = 0 } = (await store.lock.run(name)) ?? {}
  if (number <= last) return true
  if (holder && !isDead(holder))
    throw new OperatorError(
      say('An announcement is being sent already. Wait for its end, or stop it, and then go on.'),
    )
  if (number !== last + 1)
    throw new OperatorError(
      say(
        'There was another run of this letter since that page was loaded. Look again. Nothing was sent.',
      ),
    )
  return false
}

/** Begins the run, and starts the command that takes it over. */
async function begin(
  desk: LetterDesk,
  name: string,
  run: NewRun & { readonly number: number },
  args: readonly string[],
): Promise<void> {
  const begun = await takeLock(desk.store.lock, run)
  if ('by' in begun) return void (await isBegun(desk, name, run.number))
  const endWith = async (why: string) => {
    starting.delete(run.owner)
    begun.keep({ end: { why, answer: '' } })
    await begun.release()
  }
  try {
    const command = [`--run=${run.owner}`, '--no-list', ...args]
    const started = await startCommand(desk, desk.folder.fileOf(name), command)
    starting.set(run.owner, started)
    // Changes nothing where the command has taken the run over.
    started.once('exit', (_, signal) => void endWith(signal ? 'interrupted' : 'not-begun'))
  } catch (error) {
    await endWith('not-begun')
    throw error
  }
}

/** Commands that were started and may have yet to take their run over, by its owner. */
const starting = new Map<string, ChildProcess>()

/** @param most that the page shows without a check; some of these may have left since. */
function refuseOtherNumber(text: string, people: number, most: number): void {
  const typed = text.replace(/[\s,.’']/g, '')
  const isMeant = Number(typed) === people || (people < most && Number(typed) === most)
  if (!/^\d{1,9}$/.test(typed) || !isMeant)
    throw new OperatorError(
      say(
        'Nothing was sent: {typed} was typed, and the letter would go to {people} now. Type {number} to send it.',
        {
          typed: typed === '' ? say('no number') : `"${text.slice(0, 20)}"`,
          people: counted(people, 'person', 'people'),
          number: grouped(people),
        },
      ),
    )
}

/** Asks the run of this letter to stop after its messages under way. A second request does nothing. */
export async function stopLetter(desk: LetterDesk, name: string): Promise<void> {
  const { run, isRunning } = await desk.standingOf(name)
  if (!run || !isRunning) throw new OperatorError(say('Nothing is being sent.'))
  const { owner, host } = run
  // A second signal would end it at once, in the middle of a message.
  if (stopped.has(owner)) return
  // Until the command has taken the run over, its process is the desk that began it.
  const pid = run.notes.next === 'begin' ? starting.get(owner)?.pid : run.pid
  if (pid === undefined)
    throw new OperatorError(say('The run is just being started. Press again in a moment.'))
  if (host !== thisMachine())
    throw new OperatorError(
      say(
        'The run is process {pid} on {machine}, where the desk cannot reach it. Press Ctrl-C there, or run "kill -INT {pid}".',
        { pid, machine: machineOf(run) },
      ),
    )
  if (run.notes.next !== 'begin' && !isAnnouncer(pid))
    throw new OperatorError(
      say(
        'Process {pid} does not look like the one that sends this letter: press Ctrl-C where that was started.',
        { pid },
      ),
    )
  try {
    process.kill(pid, 'SIGINT')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ESRCH') return
    throw new OperatorError(
      say(
        'Process {pid} belongs to another user: press Ctrl-C where it was started, or run "kill -INT {pid}" as its user.',
        { pid },
      ),
      { cause },
    )
  }
  stopped.add(owner)
}

const stopped = new Set<string>()
