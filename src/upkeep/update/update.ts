import { spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { Refused } from '../../shared/refused.ts'
import { holdAlone } from '../../store/sole-holder.ts'
import { refused } from '../refusal.ts'
import type { Report } from '../report.ts'
import { outliveTerminal, runCommand } from './command.ts'
import { foldersOf, packageFolders } from './folders.ts'
import { refuseOtherUser } from './right-user.ts'
import type { ServiceKind } from './service.ts'
import type { Look, Source } from './source.ts'
import { endState, lockIn, nextIn, readState, workIn, writeState } from './state.ts'

export interface UpdateOptions {
  /** Only say what would change. */
  readonly check?: boolean
  /** Ask nothing. */
  readonly yes?: boolean
  /** In seconds, how long the new version may take until it is ready; a minute, unless its trial was slow. */
  readonly readyWithin?: number
}

export interface UpdatePlace {
  readonly root: string
  readonly source: Source
  readonly env: NodeJS.ProcessEnv
  readonly isFirestore: boolean
  /** The address that the page there was built for, if any. */
  readonly builtFor: string | null | undefined
  readonly findService: () => Promise<ServiceKind>
  /** Asks on the terminal; `undefined` where there is none. */
  readonly ask: (() => Promise<boolean>) | undefined
}

/** The program of the second half, in the new version. */
const SECOND_HALF = 'src/operator/update-main.ts'
const PREPARE = 'scripts/prepare.mjs'

/**
 * The first half of an update, by the installed program: shows what would change, and puts the new
 * version beside it. The new version does the rest, since it knows its own needs: see `carryOut`.
 *
 * @returns `staged` if `secondHalf` has to follow. @throws Refused
 */
export async function update(
  options: UpdateOptions,
  place: UpdatePlace,
  report: Report,
): Promise<'staged' | 'done' | 'failed'> {
  const { root } = place
  const letGo = begun(root)
  try {
    const state = readState(root)
    const isUnderWay = state !== undefined && state.phase !== 'staged'
    if (!isUnderWay) {
      endState(root)
      return await begin(options, place, report)
    }
    if (!options.check) return 'staged'
    report('interrupted', {})
    return 'failed'
  } finally {
    letGo()
  }
}

function begun(root: string): () => void {
  // The service's user does a part of the work, and must be able to read the code with any umask.
  process.umask(0o022)
  const work = workIn(root)
  refuseOtherUser(root)
  mkdirSync(work, { recursive: true })
  if ((statSync(work).mode & 0o755) !== 0o755) chmodSync(work, 0o755)
  return holdUpdate(root)
}

/** @throws Refused while another update of this installation is under way. */
export function holdUpdate(root: string): () => void {
  const lock = lockIn(root)
  // A user who may read it could lock it as well, and so prevent every update.
  closeSync(openSync(lock, 'a', 0o600))
  if (statSync(lock).uid === process.geteuid?.()) chmodSync(lock, 0o600)
  const letGo = holdAlone(lock)
  if (letGo) return letGo
  throw refused({ code: 'other-update' })
}

async function begin(
  { check, yes, readyWithin = 0 }: UpdateOptions,
  place: UpdatePlace,
  report: Report,
): Promise<'staged' | 'done'> {
  const { root, source, isFirestore, ask } = place
  const look = await source.look()
  if (!look) {
    report('nothing-new', {})
    return 'done'
  }
  const service = await place.findService().catch((cause: unknown) => {
    // A look restarts nothing.
    if (check && cause instanceof Refused) return undefined
    throw cause
  })
  const steps = isFirestore ? look.steps.firestore : look.steps.sqlite
  report('plan', { look, steps, isFirestore, service })
  if (check || !service) return 'done'
  if (!yes) {
    if (!ask) throw refused({ code: 'not-confirmed' })
    if (!(await ask())) return 'done'
  }
  try {
    await stage(look, place)
  } catch (cause) {
    endState(root)
    throw cause
  }
  writeState(root, {
    phase: 'staged',
    plan: look.plan,
    service,
    folders: foldersOf(nextIn(root)),
    readyWithinMs: readyWithin * 1000,
    firestoreSteps: look.steps.firestore.length,
  })
  return 'staged'
}

/**
 * Prepares the new version beside the old one, by its own program: the running version is not
 * touched.
 */
async function stage({ plan, newPackages }: Look, place: UpdatePlace) {
  const { root, source, env, builtFor } = place
  const next = nextIn(root)
  mkdirSync(next)
  await source.stage(plan, next)
  for (const file of [SECOND_HALF, PREPARE])
    if (!existsSync(join(next, file))) throw refused({ code: 'version-too-old', file })
  for (const folder of newPackages ? [] : packageFolders)
    if (existsSync(join(root, folder))) symlinkSync(join(root, folder), join(next, folder))
  // A page of the same sources is not built again.
  if (existsSync(join(root, 'dist')))
    cpSync(join(root, 'dist'), join(next, 'dist'), { recursive: true })
  const { NODE_COMPILE_CACHE: _, ...others } = env
  const publicUrl = env.PUBLIC_URL?.trim() || builtFor
  const { status } = await runCommand(process.execPath, [PREPARE], {
    cwd: next,
    env: { ...others, ...(publicUrl && { PUBLIC_URL: publicUrl }) },
    isShown: true,
  })
  if (status !== 0) throw refused({ code: 'not-prepared' })
}

/** Goes on as the new version. @returns its exit code; `null` if a signal ended it. */
export function secondHalf(root: string, env: NodeJS.ProcessEnv): Promise<number | null> {
  return new Promise((resolve, reject) => {
    outliveTerminal()
    // A Ctrl-C is passed to the second half, and we end as it does.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => child.kill(signal))
    const script = join(nextIn(root), SECOND_HALF)
    // Node would cache code in a folder that is moved.
    const { NODE_COMPILE_CACHE: _, ...others } = env
    const child = spawn(process.execPath, [script, root], {
      cwd: root,
      env: others,
      stdio: 'inherit',
    })
    child.on('error', reject)
    child.on('close', resolve)
  })
}
