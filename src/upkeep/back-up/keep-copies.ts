import { existsSync, lstatSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Counts,
  type KeptCopy,
  withCopy,
  withoutCopies,
  withRehearsal,
} from '../../store/backups.ts'
import { syncFolder } from '../../store/output-file.ts'
import type { Backups } from '../../store/store.ts'
import { refused } from '../refusal.ts'
import type { Report } from '../report.ts'
import { copyFolder, copyNames, isAsMade } from './copy-folder.ts'
import { keptTimes, parseKeepRule } from './keep-rule.ts'
import { alone } from './scratch.ts'
import { type CopyOptions, writeCopy } from './write-copy.ts'

/** How long a missing copy is remembered. */
const AWAY_MS = 400 * 86_400_000

export interface KeepOptions extends CopyOptions {
  /** `7,4,12`: days, weeks, months. */
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
  /** How many were there before, if none of them is there now. */
  readonly gone: number
  /** How many copies there were not made by this list. */
  readonly strangers: number
}

/**
 * `backup --keep`: makes a copy in a folder, with the keys, and then removes those that the rule
 * does not keep: only copies that this list knows it made, and only once the new one is there.
 *
 * @throws Refused, StoreUnavailable
 */
export async function keepCopies(
  backups: Backups,
  options: KeepOptions,
  report: Report,
): Promise<KeptCopies> {
  const { keep, to, appId, dataDir, served, lock, now = () => new Date() } = options
  const rule = parseKeepRule(keep)
  if (!rule) throw refused({ code: 'no-rule', keep })
  await makeFolder(backups, to)
  const folder = copyFolder(to, [dataDir, ...served])
  const names = copyNames(appId)

  return alone(dataDir, report, async (scratch) => {
    names.removeUnfinished(folder)
    const { name, at } = await freeName(folder, now, (time) =>
      names.nameOf(time, lock !== undefined),
    )
    const path = join(folder, name)
    const { counts } = await writeCopy(backups, path, at, options, scratch, ({ bytes, digest }) =>
      // Before it has its name: what is not noted was made by somebody else.
      backups.change((record) => withCopy(record, { folder, name, at, bytes, digest, keep })),
    )
    const known = (await backups.record()).kept.filter((one) => one.folder === folder)
    const gone = allGone(folder, known, name)
    if (gone > 0) await noteGone(backups, folder, gone)
    const { removed, left } = await removeOld(backups, folder, known, at, (times) =>
      keptTimes(times, rule),
    )
    const found = names.copiesIn(folder)
    const strangers = found.filter((one) => !known.some((ours) => ours.name === one.name))
    return { counts, path, left, removed, gone, strangers: strangers.length }
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
async function freeName(folder: string, now: () => Date, nameOf: (at: Date) => string) {
  for (;;) {
    const at = new Date(Math.floor(now().getTime() / 1000) * 1000)
    const name = nameOf(at)
    const taken = [name, `${name}.age`].some((one) =>
      lstatSync(join(folder, one), { throwIfNoEntry: false }),
    )
    if (!taken) return { name, at }
    await sleep(1000 - (Date.now() % 1000))
  }
}

/**
 * How many copies were there before, if none of them is there now: it may be another folder, as
 * when a disk is not mounted.
 */
function allGone(folder: string, known: readonly KeptCopy[], made: string): number {
  const before = known.filter(({ name }) => name !== made)
  const isAny = before.length < 2 || before.some((copy) => isAsMade(folder, copy))
  return isAny ? 0 : before.length
}

/** The fault, stored as that of a rehearsal. @param gone the number of missing copies. */
export const noneIsThere = (gone: number) => `none of the ${gone} copies from before is there`

/** Stores the fault as that of a rehearsal, so that `status`, the desk and the notices tell it. */
async function noteGone(backups: Backups, folder: string, gone: number) {
  const fault = noneIsThere(gone)
  await backups.change((record) => withRehearsal(record, { at: new Date(), copy: folder, fault }))
}

/**
 * @param newest the time of the copy that was just made, which stays whatever the rule says.
 * @returns how many copies of this list stand there now, and how many were removed.
 */
async function removeOld(
  backups: Backups,
  folder: string,
  known: readonly KeptCopy[],
  newest: Date,
  keptOf: (times: readonly Date[]) => ReadonlySet<Date>,
) {
  const there = known.filter((copy) => isAsMade(folder, copy))
  // Copies from the future were made while the clock was wrong: they count for no day, and stay.
  const kept = keptOf(there.map(({ at }) => at).filter((at) => at <= newest))
  const old = there.filter(({ at }) => at <= newest && !kept.has(at))
  for (const { name } of old) rmSync(join(folder, name))
  if (old.length > 0) syncFolder(folder)
  // One that was moved, or never had its name, is remembered, but not for ever.
  const away = known.filter((copy) => !there.includes(copy))
  const over = away.filter(({ at }) => Number(newest) - Number(at) > AWAY_MS)
  await backups.change((record) => withoutCopies(record, [...old, ...over]))
  return { removed: old.length, left: there.length - old.length }
}
