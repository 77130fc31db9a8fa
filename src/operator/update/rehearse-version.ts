import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { ListLook } from '../../store/list-file.ts'
import { OperatorError } from '../terminal/operator-error.ts'
import type { Out } from '../terminal/out.ts'
import { counted, localTime } from '../terminal/words.ts'
import { type CommandOptions, lastLines, runCommand } from './command.ts'
import { listSteps, ownerOf } from './owner.ts'
import { tryServer } from './trial.ts'
import { waitingRuns } from './waiting-runs.ts'

export interface RehearsedPlace {
  /** The installation, whose own program makes the copies. */
  readonly root: string
  /** The folder of the version to come. */
  readonly next: string
  readonly env: NodeJS.ProcessEnv
  readonly isFirestore: boolean
  readonly dataDir: string
  /** The operator says that nobody waits for the next wave of an announcement, nor starts it meanwhile. */
  readonly betweenWaves?: boolean | undefined
}

export interface Rehearsed {
  /** The version of the list that is in use; `undefined` where there is none on this machine. */
  readonly listVersion?: number | undefined
  readonly tookMs: number
}

const WITHIN_MS = 900_000
const MISUSED = 2

/**
 * Copies the list and the keys, and runs the version to come on such a copy: it comes up, is ready,
 * shows its page, and has everybody. No letter leaves from there, and nobody is told of anything.
 *
 * @throws OperatorError where it does not; nothing that runs was changed.
 */
export async function rehearseVersion(place: RehearsedPlace, out: Out): Promise<Rehearsed> {
  const { next, env, isFirestore, dataDir, betweenWaves } = place
  const owner = ownerOf(dataDir)
  const steps = listSteps(dataDir, next)
  const list = isFirestore ? undefined : await steps.look()
  const began = performance.now()
  if (!list) {
    const empty = mkdtempSync(join(tmpdir(), 'opening-bell-'))
    try {
      if (owner.uid !== undefined && owner.gid !== undefined) chownSync(empty, owner.uid, owner.gid)
      await orSay(tryServer({ code: next, env: quiet(env, empty), owner, withinMs: WITHIN_MS }))
    } finally {
      rmSync(empty, { recursive: true, force: true })
    }
    out.say(
      isFirestore
        ? 'The new version runs, and shows its page. It was tried on an empty list: no copy of one in Firestore is made from here.'
        : 'The new version runs, and shows its page. There is no list yet.',
    )
    return { tookMs: performance.now() - began }
  }

  refuseAnnouncing(list)
  if (list.nextWaveAt)
    out.say(
      `Between two waves of an announcement: the next one is due at ${localTime(new Date(list.nextWaveAt))}. Start it again after the update.`,
    )
  await backUp(place, out)
  try {
    const scratch = await steps.scratch()
    const copy = join(scratch, 'subscribers.sqlite')
    const copied = await installed(place, ['backup', '--output', copy])
    if (copied.status !== 0)
      throw new OperatorError(`The list cannot be copied: ${lastLines(copied, 4)}`)
    const before = await steps.look(scratch)
    await orSay(tryServer({ code: next, env: quiet(env, scratch), owner, withinMs: WITHIN_MS }))
    const after = await steps.look(scratch)
    if (!after || after.digest !== before?.digest)
      throw new OperatorError(
        `The new version does not have everybody: ${after?.subscribers ?? 0} instead of ${before?.subscribers}. Nothing was changed.`,
      )
    const up = after.version > list.version ? ` and brought it up to version ${after.version}` : ''
    out.say(
      `The new version ran on a copy of the list${up}: ${counted(after.subscribers, 'subscriber')}, all there.`,
    )
  } finally {
    await steps.dropScratch()
  }
  refuseAnnouncing(await steps.look())
  return { listVersion: list.version, tookMs: performance.now() - began }

  /** By the program that is installed: this one would bring the list itself up. */
  function installed({ root }: RehearsedPlace, args: string[], more: Partial<CommandOptions> = {}) {
    const tool = join(root, 'src/operator/main.ts')
    const inPlace = { ...env, DATA_DIR: dataDir }
    return runCommand(process.execPath, [tool, ...args], {
      ...{ cwd: root, env: inPlace },
      ...owner,
      ...more,
    })
  }

  async function backUp(where: RehearsedPlace, out: Out) {
    if (!env.BACKUP_TO?.trim()) {
      out.say('BACKUP_TO is not set, so no back-up is made that stays: docs/backups.md.')
      return
    }
    const byRule = await installed(where, ['backup', '--keep', env.BACKUP_KEEP?.trim() || '7,4,12'])
    // Programs of before keep none by a rule.
    const file = resolve(where.root, env.BACKUP_TO.trim(), 'before-update.sqlite')
    const ended =
      byRule.status === MISUSED ? await installed(where, ['backup', '--output', file]) : byRule
    if (ended.status !== 0)
      throw new OperatorError(
        `No back-up could be made: ${lastLines(ended, 4)}\nNothing was changed.`,
      )
    for (const line of (ended.stderr.trim() || ended.stdout.trim()).split('\n')) out.say(line)
  }

  function refuseAnnouncing({ isAnnouncing, nextWaveAt }: Partial<ListLook> = {}) {
    if (isAnnouncing)
      throw new OperatorError(
        'An announcement is under way. Nothing was changed: wait for its end, or stop it with Ctrl-C where it runs; it goes on after the update.',
      )
    const [waiting] = waitingRuns(dataDir)
    if (waiting !== undefined)
      throw new OperatorError(
        `An announcement waits here, as process ${waiting}. Nothing was changed: stop it with Ctrl-C where it runs, or "kill -INT ${waiting}"; the same command goes on after the update.`,
      )
    if (nextWaveAt && !betweenWaves)
      throw new OperatorError(
        `An announcement goes out in waves, and the next one is due at ${localTime(new Date(nextWaveAt))}. Nothing was changed. If nobody waits for it, and no timer starts it meanwhile, update with --between-waves: the same announcement goes on after it. Otherwise wait for the last wave; if you stopped it for good, update ten minutes after that time.${betweenWaves === undefined ? ' The program that is installed may not know this option: "From a version before this command" in docs/updating.md goes around it.' : ''}`,
      )
  }
}

async function orSay(trial: Promise<string | undefined>) {
  const why = await trial
  if (why)
    throw new OperatorError(`The new version does not run here: ${why}\nNothing was changed.`)
}

/** The settings for a trial: nothing leaves the machine, neither a letter nor a notice. */
function quiet(env: NodeJS.ProcessEnv, dataDir: string): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('NOTIFY_'))
  return {
    ...Object.fromEntries(kept),
    ...(env.SMTP_URL && { SMTP_URL: 'smtp://127.0.0.1:1' }),
    ...{ STORE: 'sqlite', DATA_DIR: dataDir },
  }
}
