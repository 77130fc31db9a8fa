import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { ListLook } from '../../store/list-file.ts'
import { refused } from '../refusal.ts'
import type { Report } from '../report.ts'
import { lastLines, runCommand } from './command.ts'
import { listSteps, ownerOf } from './owner.ts'
import { tryServer } from './trial.ts'
import { waitingRuns } from './waiting-runs.ts'

export interface RehearsedPlace {
  /** The installation, whose own program makes the copies. */
  readonly root: string
  /** The folder of the new version. */
  readonly next: string
  readonly env: NodeJS.ProcessEnv
  readonly isFirestore: boolean
  readonly dataDir: string
}

export interface Rehearsed {
  /** The version of the list in use; `undefined` if there is none on this machine. */
  readonly listVersion?: number | undefined
  readonly tookMs: number
}

const WITHIN_MS = 900_000
const MISUSED = 2

/**
 * Copies the list and the keys, and runs the new version on that copy: it must start, be ready,
 * show its page, and have all subscribers. The trial sends no letters and no notices.
 *
 * @throws Refused if it fails; the running version is unchanged.
 */
export async function rehearseVersion(place: RehearsedPlace, report: Report): Promise<Rehearsed> {
  const { root, next, env, isFirestore, dataDir } = place
  const owner = ownerOf(dataDir)
  const steps = listSteps(dataDir, next)
  const list = isFirestore ? undefined : await steps.look()
  const began = performance.now()
  if (!list) {
    const empty = mkdtempSync(join(tmpdir(), 'opening-bell-'))
    try {
      if (owner.uid !== undefined && owner.gid !== undefined) chownSync(empty, owner.uid, owner.gid)
      await trial(empty)
    } finally {
      rmSync(empty, { recursive: true, force: true })
    }
    report('tried-empty', { isFirestore })
    return { tookMs: performance.now() - began }
  }

  refuseAnnouncing(list)
  await backUp()
  try {
    const scratch = await steps.scratch()
    const copy = join(scratch, 'subscribers.sqlite')
    const copied = await installed(['backup', '--output', copy])
    if (copied.status !== 0) throw refused({ code: 'not-copied', said: lastLines(copied, 4) })
    const before = await steps.look(scratch)
    await trial(scratch)
    const after = await steps.look(scratch)
    if (!after || after.digest !== before?.digest)
      throw refused({
        code: 'people-missing',
        before: before?.subscribers ?? 0,
        after: after?.subscribers ?? 0,
      })
    const version = after.version > list.version ? after.version : undefined
    report('tried-on-a-copy', { subscribers: after.subscribers, version })
  } finally {
    await steps.dropScratch()
  }
  refuseAnnouncing(await steps.look())
  return { listVersion: list.version, tookMs: performance.now() - began }

  /** By the installed program: the new one would migrate the list itself. */
  function installed(args: string[]) {
    const tool = join(root, 'src/operator/main.ts')
    const options = { cwd: root, env: { ...env, DATA_DIR: dataDir }, ...owner }
    return runCommand(process.execPath, [tool, ...args], options)
  }

  async function trial(listIn: string) {
    const options = { code: next, env: quiet(env, listIn), owner, withinMs: WITHIN_MS }
    const why = await tryServer(options)
    if (why) throw refused({ code: 'does-not-run', found: why })
  }

  async function backUp() {
    if (!env.BACKUP_TO?.trim()) return report('no-folder-for-back-ups', {})
    const byRule = await installed(['backup', '--keep', env.BACKUP_KEEP?.trim() || '7,4,12'])
    // Older programs keep no copies by a rule.
    const file = resolve(root, env.BACKUP_TO.trim(), 'before-update.sqlite')
    const ended = byRule.status === MISUSED ? await installed(['backup', '--output', file]) : byRule
    if (ended.status !== 0) throw refused({ code: 'not-backed-up', said: lastLines(ended, 4) })
    for (const line of (ended.stderr.trim() || ended.stdout.trim()).split('\n'))
      report('program-said', { line })
  }

  function refuseAnnouncing({ isAnnouncing }: Partial<ListLook> = {}) {
    if (isAnnouncing) throw refused({ code: 'announcing' })
    const [pid] = waitingRuns(dataDir)
    if (pid !== undefined) throw refused({ code: 'run-waits', pid })
  }
}

/** The settings for a trial: nothing leaves the machine, neither a letter, a notice nor an event. */
function quiet(env: NodeJS.ProcessEnv, dataDir: string): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !/^(NOTIFY_|EVENTS)/.test(name))
  return {
    ...Object.fromEntries(kept),
    ...(env.SMTP_URL && { SMTP_URL: 'smtp://127.0.0.1:1' }),
    STORE: 'sqlite',
    DATA_DIR: dataDir,
  }
}
