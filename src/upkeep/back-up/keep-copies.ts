import { existsSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type KeepRule, parseKeepRule } from '../../shared/keep-rule.ts'
import { type Counts, withCopy, withoutCopies, withRehearsal } from '../../store/backups.ts'
import { outputFile, syncFolder } from '../../store/output-file.ts'
import type { Backups } from '../../store/store.ts'
import { type CopyOptions, writeCopy } from './copy-file.ts'
import { copyFolder, isAsMade, nameOf, removeUnfinished } from './copy-folder.ts'
import { keptTimes } from './keep-rule.ts'
import { alone } from './scratch.ts'

/** How long a missing copy is remembered. */
const AWAY_MS = 400 * 86_400_000

export interface KeepOptions extends CopyOptions {
  /** Days, weeks and months, as `parseKeepRule` reads them: `7,4,12`. */
  readonly keep: string
  /** The folder of the copies. */
  readonly to: string
  /** Folders that no copy may be in, beside the data folder. */
  readonly served: readonly string[]
  /** The clock. */
  readonly now?: () => Date
}

/** A new copy, and the state of the others in its folder. */
export interface KeptCopies {
  readonly counts: Counts
  /** Its file. */
  readonly path: string
  /** How many copies of this list are there now, and how many were removed. */
  readonly left: number
  readonly removed: number
  /** That none of those from before is there now. */
  readonly fault: string | undefined
}

/**
 * `backup`: makes a copy in a folder, with the keys, and then removes those that the rule
 * does not keep: only copies that this list knows it made, and only once the new one is there.
 *
 * @throws Refused, StoreUnavailable
 */
export async function keepCopies(backups: Backups, options: KeepOptions): Promise<KeptCopies> {
  const { keep, to, appId, dataDir, served, passphrase, now = () => new Date() } = options
  const rule = parseKeepRule(keep)
  if (!rule) throw new Error(`${keep} is no rule`)
  await makeFolder(backups, to)
  const folder = copyFolder(to, [dataDir, ...served])
  return alone(dataDir, async (scratch) => {
    removeUnfinished(folder, appId)
    const { name, at } = await freeName(folder, now, (time) =>
      nameOf(appId, time, passphrase !== undefined),
    )
    const path = join(folder, name)
    const output = outputFile(path, dataDir)
    try {
      const counts = await writeCopy(backups, output.unfinished, at, options, scratch)
      const { size: bytes } = statSync(output.unfinished)
      // Before it has its name: what is not noted was made by somebody else.
      await backups.change((record) => withCopy(record, { folder, name, at, bytes, keep }))
      output.keep()
      return { counts, path, ...(await removeOld(backups, folder, at, rule)) }
    } finally {
      output.discard()
    }
  })
}

/**
 * Makes the folder of the first copy, beneath one that is there. One that had copies is not made
 * again: its disk is away, and a copy in its place would be seen by nobody.
 */
async function makeFolder(backups: Backups, to: string): Promise<void> {
  const parent = dirname(to)
  if (existsSync(to) || !existsSync(parent)) return
  const folder = join(realpathSync(parent), basename(to))
  const { kept } = await backups.record()
  if (!kept.some((copy) => copy.folder === folder)) mkdirSync(folder, { mode: 0o700 })
}

/** A free name of this second, or of the next. */
async function freeName(folder: string, now: () => Date, nameAt: (at: Date) => string) {
  for (;;) {
    const at = new Date(Math.floor(now().getTime() / 1000) * 1000)
    const name = nameAt(at)
    if (!existsSync(join(folder, name))) return { name, at }
    await sleep(1000 - (Date.now() % 1000))
  }
}

/**
 * Where none of several copies from before is there, it may be another folder, as when a disk is not
 * mounted. It is stored as the fault of a rehearsal, so that `status`, the desk and the notices tell it.
 *
 * @param newest the time of the copy that was just made, which stays whatever the rule says.
 * @returns how many copies of this list stand there now, and how many were removed.
 */
async function removeOld(backups: Backups, folder: string, newest: Date, rule: KeepRule) {
  const known = (await backups.record()).kept.filter((one) => one.folder === folder)
  const there = known.filter((copy) => isAsMade(folder, copy))
  const before = known.length - 1
  const fault =
    before > 1 && there.length === 1
      ? `none of the ${before} copies from before is there`
      : undefined
  // Copies from the future were made while the clock was wrong: they count for no day, and stay.
  const past = there.filter(({ at }) => at <= newest)
  const kept = keptTimes(
    past.map(({ at }) => at),
    rule,
  )
  const old = past.filter(({ at }) => !kept.has(at))
  for (const { name } of old) rmSync(join(folder, name))
  if (old.length > 0) syncFolder(folder)
  // One that was moved, or never had its name, is remembered, but not for ever.
  const over = known.filter(
    (copy) => !there.includes(copy) && Number(newest) - Number(copy.at) > AWAY_MS,
  )
  await backups.change((record) => {
    const left = withoutCopies(record, [...old, ...over])
    return fault === undefined ? left : withRehearsal(left, new Date(), fault)
  })
  return { removed: old.length, left: there.length - old.length, fault }
}
