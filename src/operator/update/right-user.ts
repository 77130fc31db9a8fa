import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../terminal/operator-error.ts'
import { lockIn, stateFileIn, workIn } from './state.ts'

/** @throws OperatorError that says who may update, unless whoever runs this may write what it needs. */
export function refuseOtherUser(root: string): void {
  const { R_OK, W_OK } = constants
  const places = [root, join(root, '.git'), workIn(root), stateFileIn(root), lockIn(root)]
  for (const place of places.filter((one) => existsSync(one)))
    try {
      accessSync(place, R_OK | W_OK)
    } catch (cause) {
      const { uid } = statSync(place)
      if (uid === process.geteuid?.())
        throw new OperatorError(`${place} cannot be written: ${(cause as Error).message}`, {
          cause,
        })
      const owner = nameOf(uid)
      throw new OperatorError(
        `This user may not write ${place}, which belongs to ${owner}. Run the same command as ${owner}, with ${owner === 'root' ? 'sudo' : `sudo -u ${owner}`}.`,
        { cause },
      )
    }
}

function nameOf(uid: number): string {
  const { stdout } = spawnSync('id', ['-nu', String(uid)], { encoding: 'utf8' })
  return stdout?.trim() || (uid === 0 ? 'root' : `#${uid}`)
}
