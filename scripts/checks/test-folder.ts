import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux' folder in memory, and what `statfs` calls such a file system (TMPFS_MAGIC). */
const [IN_MEMORY, TMPFS] = ['/dev/shm', 0x01021994]

/** Twenty times what a run keeps at once (48 MB), so that no machine runs out of memory. */
const ENOUGH_BYTES = 2 ** 30

const PREFIX = 'opening-bell-test-'

/**
 * Makes an empty folder for what tests keep: in memory where there is enough of it, since the syncs
 * of a disk take a third of the processor time of tests of a list in a file. No test can tell whether a
 * disk has kept what it synced: those of a loss of power have a disk on paper.
 *
 * @param inMemory another place than that of Linux. @returns its path; the caller removes it.
 */
export function makeTestFolder(inMemory = IN_MEMORY): string {
  const folder = inMemoryFolder(inMemory) ?? mkdtempSync(join(tmpdir(), PREFIX))
  // As the temporary folder itself: some tests run programs of another user.
  chmodSync(folder, 0o1777)
  return folder
}

function inMemoryFolder(place: string): string | undefined {
  let folder: string | undefined
  try {
    const { type, bavail, bsize } = statfsSync(place)
    if (type !== TMPFS || Math.min(bavail * bsize, freemem()) < ENOUGH_BYTES) return undefined
    folder = mkdtempSync(join(place, PREFIX))
    // In some containers nothing can be run from there, and tests run what they write.
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    if (spawnSync(program).status !== 0) throw new Error('nothing can be run there')
    rmSync(program)
    return folder
  } catch {
    if (folder) rmSync(folder, { recursive: true, force: true })
    return undefined
  }
}
