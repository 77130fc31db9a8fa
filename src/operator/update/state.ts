import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { syncFolder } from '../../store/output-file.ts'
import type { ServiceKind } from './service.ts'
import type { Plan } from './source.ts'

/** How far an update is; it stands in a file, so that the next process goes on where one was killed. */
export interface UpdateState {
  /**
   * `staged`: the new version is there, whole, and nothing that runs was changed. `forth`: it takes the
   * place of the old one. `check`: it is in place. `back`: it is given up, and the old one comes back.
   */
  readonly phase: 'staged' | 'forth' | 'check' | 'back'
  readonly plan: Plan
  readonly service: ServiceKind
  /** Folders of the new version that take the place of the old ones: packages, and the page. */
  readonly folders: readonly string[]
  /** The version of the list before; `undefined` where there is none on this machine. */
  readonly listVersion?: number | undefined
  /** How long the server may take until it is ready; 0 until that is known. */
  readonly readyWithinMs: number
  /** The steps that Firestore takes, which has no way back. */
  readonly firestoreSteps: number
}

/** All that an update needs on its way, in the installation's folder. */
export const workIn = (root: string) => join(root, '.update')
export const nextIn = (root: string) => join(workIn(root), 'next')

const fileIn = (root: string) => join(workIn(root), 'state.json')

export function readState(root: string): UpdateState | undefined {
  const file = fileIn(root)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** Whole or not at all, and on disk when it returns. */
export function writeState(root: string, state: UpdateState): UpdateState {
  const unfinished = `${fileIn(root)}.part`
  const handle = openSync(unfinished, 'w', 0o600)
  writeSync(handle, JSON.stringify(state, null, 2))
  fsyncSync(handle)
  closeSync(handle)
  renameSync(unfinished, fileIn(root))
  syncFolder(workIn(root))
  return state
}

/** The update is over: what it needed goes, that it was under way first. */
export function endState(root: string): void {
  rmSync(fileIn(root), { force: true })
  for (const name of ['next', 'before', 'index'])
    rmSync(join(workIn(root), name), { recursive: true, force: true })
}
