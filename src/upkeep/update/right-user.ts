import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type FileOwner, refused } from '../refusal.ts'
import { lockIn, stateFileIn, workIn } from './state.ts'

/** @throws Refused that names the right user, unless this one may write the files of an update. */
export function refuseOtherUser(root: string): void {
  const { R_OK, W_OK } = constants
  const places = [root, join(root, '.git'), workIn(root), stateFileIn(root), lockIn(root)]
  for (const place of places.filter((one) => existsSync(one)))
    try {
      accessSync(place, R_OK | W_OK)
    } catch (cause) {
      const { uid } = statSync(place)
      const why = uid === process.geteuid?.() ? { cause: (cause as Error).message } : {}
      throw refused({ code: 'not-writable', place, owner: ownerNamed(uid), ...why }, { cause })
    }
}

/** @throws Refused that names the right user, if git refuses the checkout of another one. */
export function refuseOthersCheckout(root: string, gitSaid: string): void {
  if (gitSaid.includes('dubious ownership')) throw othersCheckout(root)
}

/** @throws Refused the same, where git would work for root, as with sudo. */
export function refuseOthersFolder(root: string): void {
  if (statSync(root).uid !== process.geteuid?.()) throw othersCheckout(root)
}

function othersCheckout(root: string) {
  const uids = [root, join(root, '.git')].flatMap(
    (place) => statSync(place, { throwIfNoEntry: false })?.uid ?? [],
  )
  const owner = ownerNamed(uids.find((uid) => uid !== process.geteuid?.()))
  return refused({ code: 'others-checkout', root, owner })
}

function ownerNamed(uid: number | undefined): FileOwner {
  if (uid === undefined) return {}
  const { stdout } = spawnSync('id', ['-nu', String(uid)], { encoding: 'utf8' })
  const name = stdout?.trim() || (uid === 0 ? 'root' : undefined)
  return { uid, ...(name && { name }) }
}
