import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { ListLook } from '../../store/list-file.ts'
import { refused } from '../refusal.ts'
import { lastLines, runCommand } from './command.ts'

/** The owner of the data folder: the server could not use files of root there. */
export interface Owner {
  readonly uid?: number
  readonly gid?: number
}

/**
 * @returns the user for processes that touch the list, if we are root; otherwise it stays the same.
 */
export function ownerOf(dataDir: string): Owner {
  const stat = statSync(dataDir, { throwIfNoEntry: false })
  if (process.geteuid?.() !== 0 || !stat || stat.uid === 0) return {}
  return { uid: stat.uid, gid: stat.gid }
}

/** The steps with the list, each in a process of its owner: see `list-step.ts`. */
export function listSteps(dataDir: string, cwd: string) {
  async function step<T>(...args: string[]): Promise<T> {
    const owner = ownerOf(dataDir)
    const script = join(import.meta.dirname, 'list-step.ts')
    const ended = await runCommand(process.execPath, [script, ...args], {
      cwd,
      ...owner,
    })
    // Node says so of its own script, where a folder above it is closed to that user.
    if (owner.uid !== undefined && ended.stderr.includes(`Cannot find module '${script}'`))
      throw refused({ code: 'may-not-reach', uid: owner.uid, path: script })
    if (ended.status !== 0) throw refused({ code: 'list', said: lastLines(ended, 3) })
    return JSON.parse(ended.stdout) ?? undefined
  }
  return {
    look: (folder = dataDir) => step<ListLook | undefined>('look', folder),
    /** Makes a folder in the data folder, with the keys. @returns its path. */
    scratch: () => step<string>('scratch', dataDir),
    dropScratch: () => step<boolean>('drop', dataDir),
  }
}
