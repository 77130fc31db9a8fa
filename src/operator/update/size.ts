import { OperatorError } from '../terminal/operator-error.ts'
import type { Git } from './git.ts'

const MOST_FILES = 100_000
const MOST_BYTES = 2 ** 30
const MOST = '100,000 files of 1 GiB in all'

/**
 * A repository of a few kilobytes can have files for a whole disk, as git keeps once what is the same.
 *
 * @throws OperatorError where a commit has more than any version of ours will.
 */
export async function refuseHuge(git: Git, commit: string): Promise<void> {
  const listed = await git.ask(['ls-tree', '-r', '-l', '-z', '--full-tree', commit])
  // Mode, kind, id, size and name of each; another repository in it has no size.
  const sizes = listed.stdout.split('\0').map((line) => Number(line.split(/\s+/, 4)[3]) || 0)
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  if (!listed.isCut && sizes.length <= MOST_FILES && bytes <= MOST_BYTES) return
  throw new OperatorError(
    `The version to come is larger than ${MOST}, and is not taken. Nothing was changed.`,
  )
}
