import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { inCode } from '../../../product/folders.mjs'
import type { DeskParts } from '../parts.ts'
import { ownFolderAt } from './letter-folder.ts'

/**
 * Starts the command `announce` as a process of its own, in a session of its own: it outlives the
 * desk, the server and the terminal. What it prints is in a file beside the letter, for people.
 */
export async function startCommand(
  { root, env }: Pick<DeskParts, 'env'> & { readonly root: string },
  letter: string,
  args: readonly string[],
): Promise<ChildProcess> {
  // A service's /tmp is removed when the service stops, so its temporary files are here.
  const folder = join(letter, '..')
  ownFolderAt(folder)
  const log = openSync(letter.replace(/\.md$/, '.log'), 'w', 0o600)
  // A list of arguments: no shell reads them.
  const { FORCE_COLOR: _, ...settings } = env
  const command = [inCode('bin/opening-bell.mjs'), 'announce', letter, ...args]
  try {
    const started = spawn(process.execPath, command, {
      cwd: root,
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...settings, NO_COLOR: '1', SQLITE_TMPDIR: folder },
    })
    started.unref()
    await once(started, 'spawn')
    return started
  } finally {
    closeSync(log)
  }
}
