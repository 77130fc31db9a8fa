import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { outputFile, syncFolder } from '../../store/output-file.ts'
import { refused } from '../refusal.ts'
import type { ServiceKind } from './service.ts'
import type { Plan, Source } from './source.ts'

export interface Installation {
  readonly root: string
  readonly source: Source
  readonly env: NodeJS.ProcessEnv
  readonly isFirestore: boolean
  readonly dataDir: string
}

/** How far an update is; it is stored in a file, so that the next process goes on after a kill. */
export interface UpdateState {
  /**
   * `staged`: the whole new version is there, and the running one is unchanged. `forth`: it
   * replaces the old one. `check`: it is in place. `back`: it is given up, and the old one comes
   * back.
   */
  readonly phase: 'staged' | 'forth' | 'check' | 'back'
  readonly plan: Plan
  readonly service: ServiceKind
  /** The folders of the new version that replace old ones: packages, and the page. */
  readonly folders: readonly string[]
  /** The version of the list before; `undefined` where there is none on this machine. */
  readonly listVersion?: number | undefined
  /** Which list it is, as `listNamed` says; it is not known before `forth`. */
  readonly list?: string | undefined
  /** How long the server may take until it is ready; 0 until that is known. */
  readonly readyWithinMs: number
  /** The steps that Firestore takes, which has no way back. */
  readonly firestoreSteps: number
}

/** The working folder of an update, in the installation's folder. */
export const workIn = (root: string) => join(root, '.update')
export const nextIn = (root: string) => join(workIn(root), 'next')

/** Held by the updating process alone. */
export const lockIn = (root: string) => join(workIn(root), 'lock')
export const stateFileIn = (root: string) => join(workIn(root), 'state.json')

export function readState(root: string): UpdateState | undefined {
  const file = stateFileIn(root)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/**
 * Writes the state as a whole or not at all, and on disk, after all earlier changes: after a power
 * failure it is never ahead of the files that it describes.
 */
export function writeState(root: string, state: UpdateState): UpdateState {
  syncFiles(root)
  const file = outputFile(stateFileIn(root), workIn(root))
  writeFileSync(file.unfinished, JSON.stringify(state, null, 2))
  file.keep()
  // The folder itself may be new.
  syncFolder(root)
  return state
}

/** Ends the update: removes its working files, the state first. */
export function endState(root: string): void {
  const work = workIn(root)
  if (existsSync(stateFileIn(root))) {
    syncFiles(root)
    rmSync(stateFileIn(root))
    syncFolder(work)
  }
  const unfinished = readdirSync(work).filter((name) => /^state\.json\..*part$/.test(name))
  for (const name of ['next', 'before', 'index', ...unfinished])
    rmSync(join(work, name), { recursive: true, force: true })
}

/** Syncs everything there: code, packages and git's objects are thousands of files. */
function syncFiles(root: string): void {
  // Without this program, a power failure may lose the last seconds.
  spawnSync('sync', ['-f', root], { stdio: 'ignore' })
}

/** The list of these settings, as the state of an update names it: its folder, or `Firestore`. */
export function listNamed(isFirestore: boolean, dataDir: string): string {
  return isFirestore ? 'Firestore' : dataDir
}

/**
 * With the settings of another list, an update that goes on would leave its own list as it is: of
 * the new version, under old code.
 *
 * @throws Refused that names the right one.
 */
export function refuseOtherList(
  { list }: UpdateState,
  isFirestore: boolean,
  dataDir: string,
): void {
  const named = listNamed(isFirestore, dataDir)
  if (list !== undefined && list !== named) throw refused({ code: 'other-list', list, named })
}
