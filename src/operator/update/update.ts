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
import { holdAlone } from '../../store/sole-holder.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { OperatorError } from '../terminal/operator-error.ts'
import type { Out } from '../terminal/out.ts'
import { outliveTerminal, runCommand } from './command.ts'
import { foldersOf, packageFolders } from './folders.ts'
import { refuseOtherUser } from './right-user.ts'
import { type ServiceKind, serviceInWords } from './service.ts'
import type { Look, Source } from './source.ts'
import { endState, lockIn, nextIn, readState, workIn, writeState } from './state.ts'

export interface UpdateOptions {
  /** Only say what would change. */
  readonly check?: boolean
  /** Ask nothing. */
  readonly yes?: boolean
  /** In seconds, how long the new version may take until it is ready; a minute, unless its trial was slow. */
  readonly readyWithin?: number
  /** Nobody waits for the next wave of an announcement, nor starts it meanwhile. */
  readonly betweenWaves?: boolean
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
  readonly ask: ((question: string) => Promise<boolean>) | undefined
}

/** The program of the second half, in the version to come. */
const SECOND_HALF = 'src/operator/update-main.ts'
const PREPARE = 'scripts/prepare.mjs'

/**
 * The first half of an update, by the program that is installed: says what would change, and puts the
 * version to come beside it. That one does the rest, as it knows what it needs: see `carryOut`.
 */
export async function update(options: UpdateOptions, place: UpdatePlace, out: Out) {
  const { root } = place
  const letGo = begun(root)
  try {
    const state = readState(root)
    const isUnderWay = state !== undefined && state.phase !== 'staged'
    if (isUnderWay && options.check) {
      out.say('An update was interrupted. Without --check, it goes on.')
      return exitCodes.failed
    }
    if (!isUnderWay) {
      endState(root)
      const isStaged = await begin(options, place, out)
      if (isStaged !== 'staged') return isStaged
    }
  } finally {
    letGo()
  }
  return secondHalf(root, place.env)
}

function begun(root: string): () => void {
  // Who serves the code may read it, whatever the umask of whoever updates, and does part of the work.
  process.umask(0o022)
  const work = workIn(root)
  refuseOtherUser(root)
  mkdirSync(work, { recursive: true })
  if ((statSync(work).mode & 0o755) !== 0o755) chmodSync(work, 0o755)
  return holdUpdate(root)
}

/** @throws OperatorError while another update of this installation is under way. */
export function holdUpdate(root: string): () => void {
  const lock = lockIn(root)
  // A user who may read it could lock it as well, and so keep every update away.
  closeSync(openSync(lock, 'a', 0o600))
  if (statSync(lock).uid === process.geteuid?.()) chmodSync(lock, 0o600)
  const letGo = holdAlone(lock)
  if (letGo) return letGo
  throw new OperatorError('Another update is under way here.')
}

async function begin(
  { check, yes, readyWithin = 0, betweenWaves = false }: UpdateOptions,
  place: UpdatePlace,
  out: Out,
): Promise<number | 'staged'> {
  const { root, source, isFirestore, ask } = place
  const look = await source.look()
  if (!look) {
    out.say('Nothing is new.')
    return exitCodes.done
  }
  const service = await place.findService()
  const steps = isFirestore ? look.steps.firestore : look.steps.sqlite
  for (const line of planInWords(look, steps, place)) out.say(line)
  out.say(serviceInWords(service))
  if (check) return exitCodes.done
  if (!yes) {
    if (!ask) throw new OperatorError('Nothing was changed. The same again with --yes does it.')
    if (!(await ask('Update now? [y/N] '))) return exitCodes.done
  }
  try {
    await stage(look, place)
  } catch (cause) {
    endState(root)
    throw cause
  }
  writeState(root, {
    ...{ phase: 'staged', plan: look.plan, service, folders: foldersOf(nextIn(root)) },
    ...{ readyWithinMs: readyWithin * 1000, firestoreSteps: look.steps.firestore.length },
    betweenWaves,
  })
  return 'staged'
}

function planInWords(look: Look, steps: readonly string[], { isFirestore }: UpdatePlace): string[] {
  const { where, changes, edits, newPackages } = look
  return [
    `From ${where}`,
    'New:',
    ...changes.map((line) => `  ${line}`),
    ...(edits.length > 0 ? [`Yours, not committed, and kept: ${edits.join(', ')}`] : []),
    ...(newPackages ? ['Other packages are installed.'] : []),
    ...(steps.length > 0 ? ['What is kept is brought up:'] : []),
    ...steps.map((line) => `  ${line}`),
    ...(isFirestore && steps.length > 0
      ? [
          'In Firestore there is no way back from that, and no copy is made from here: docs/firebase.md.',
        ]
      : []),
  ]
}

/** Beside the old version, by the new one's own means: nothing that runs is touched. */
async function stage({ plan, newPackages }: Look, place: UpdatePlace) {
  const { root, source, env, builtFor } = place
  const next = nextIn(root)
  mkdirSync(next)
  await source.stage(plan, next)
  for (const file of [SECOND_HALF, PREPARE])
    if (!existsSync(join(next, file)))
      throw new OperatorError(`The version to come is from before updates: it has no ${file}.`)
  for (const folder of newPackages ? [] : packageFolders)
    if (existsSync(join(root, folder))) symlinkSync(join(root, folder), join(next, folder))
  // A page that was built from the same is not built again.
  if (existsSync(join(root, 'dist')))
    cpSync(join(root, 'dist'), join(next, 'dist'), { recursive: true })
  const { NODE_COMPILE_CACHE: _, ...others } = env
  const publicUrl = env.PUBLIC_URL?.trim() || builtFor
  const { status } = await runCommand(process.execPath, [PREPARE], {
    cwd: next,
    env: { ...others, ...(publicUrl && { PUBLIC_URL: publicUrl }) },
    isShown: true,
  })
  if (status !== 0)
    throw new OperatorError('The new version cannot be prepared. Nothing was changed.')
}

/** Goes on as the version to come. @returns its exit code. */
function secondHalf(root: string, env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    outliveTerminal()
    // A Ctrl-C is for that one; we end as it does.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => child.kill(signal))
    const script = join(nextIn(root), SECOND_HALF)
    // Node would keep its code in a folder that changes places.
    const { NODE_COMPILE_CACHE: _, ...others } = env
    const child = spawn(process.execPath, [script, root], {
      ...{ cwd: root, env: others, stdio: 'inherit' },
    })
    child.on('error', reject)
    child.on('close', (status) => resolve(status ?? exitCodes.stopped))
  })
}
