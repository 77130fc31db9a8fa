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
      const { name, how } = inWords(uid)
      throw new OperatorError(
        `This user may not write ${place}, which belongs to ${name}. ${how}`,
        { cause },
      )
    }
}

/** @throws OperatorError that says who may, where git refuses a checkout because it is not this user's. */
export function refuseOthersCheckout(root: string, gitSaid: string): void {
  if (gitSaid.includes('dubious ownership')) throw othersCheckout(root)
}

/** @throws OperatorError the same, where git would work for root, as it does with sudo. */
export function refuseOthersFolder(root: string): void {
  if (statSync(root).uid !== process.geteuid?.()) throw othersCheckout(root)
}

function othersCheckout(root: string): OperatorError {
  const uids = [root, join(root, '.git')].flatMap(
    (place) => statSync(place, { throwIfNoEntry: false })?.uid ?? [],
  )
  const { name, how } = inWords(uids.find((uid) => uid !== process.geteuid?.()))
  return new OperatorError(
    `${root} belongs to ${name}, and git works for nobody else there. ${how}`,
  )
}

/** Whom something belongs to, and how to be them. */
function inWords(uid: number | undefined): { name: string; how: string } {
  if (uid === undefined) return { name: 'another user', how: 'Run the same command as them.' }
  const { stdout } = spawnSync('id', ['-nu', String(uid)], { encoding: 'utf8' })
  const known = stdout?.trim() || (uid === 0 ? 'root' : undefined)
  const name = known ?? `user ${uid}`
  // Without quotes, a shell takes a number with its # for a comment.
  const sudo = uid === 0 ? 'sudo' : `sudo -u ${known ?? `'#${uid}'`}`
  return {
    name,
    how: `Run the same command as ${name}, with ${sudo} and the same settings after it: sudo drops those from before it.`,
  }
}
