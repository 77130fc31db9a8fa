import { existsSync, lstatSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Backups, CopiedKeys, KeptCopy, WrittenCopy } from '../../store/backups.ts'
import { outputFile, syncFolder } from '../../store/output-file.ts'
import { refused } from '../refusal.ts'
import type { Report } from '../report.ts'
import { encryptFile, type Lock } from './age.ts'
import { copyFolder, copyNames, isAsMade } from './copy-folder.ts'
import { keptTimes, parseKeepRule } from './keep-rule.ts'
import { keptRehearsalKey } from './rehearsal-key.ts'
import { alone } from './scratch.ts'

/** How long a missing copy is remembered. */
const AWAY_MS = 400 * 86_400_000

export interface KeepOptions {
  /** `7,4,12`: days, weeks, months. */
  readonly keep: string
  /** The folder of the copies. */
  readonly to: string
  readonly appId: string
  readonly dataDir: string
  /** Folders that no copy may be in, beside the data folder. */
  readonly served: readonly string[]
  readonly keys: CopiedKeys
  /** Seals the copy, and is not in it. */
  readonly sealKey?: Buffer | undefined
  /** How the copy is encrypted, if it is. */
  readonly lock?: Lock | undefined
  /** The clock. */
  readonly now?: () => Date
}

/** A new copy, and the state of the others in its folder. */
export interface KeptCopies {
  readonly copy: Omit<WrittenCopy, 'content'>
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
  const { keep, to, appId, dataDir, served, keys, sealKey, lock } = options
  const { now = () => new Date() } = options
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
    const note = (unfinished: string, { content }: WrittenCopy) =>
      backups.noteCopy({ folder, name, at, bytes: statSync(unfinished).size, keep, content })
    const copy = await (lock
      ? writeEncrypted(backups, { path, keys, sealKey, lock, dataDir, scratch, note })
      : backups.write(path, { keys, sealKey, beforeNamed: note }))

    const known = (await backups.keptCopies()).filter((one) => one.folder === folder)
    const gone = allGone(folder, known, name)
    if (gone > 0) await noteGone(backups, folder, gone)
    const { removed, left } = await removeOld(backups, folder, known, at, (times) =>
      keptTimes(times, rule),
    )
    const found = names.copiesIn(folder)
    const strangers = found.filter((one) => !known.some((ours) => ours.name === one.name))
    const { content: _, ...counts } = copy
    return { copy: counts, path, left, removed, gone, strangers: strangers.length }
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
  const known = await backups.keptCopies()
  if (!known.some((copy) => copy.folder === folder)) mkdirSync(folder, { mode: 0o700 })
}

interface Encrypting {
  readonly path: string
  readonly keys: CopiedKeys
  readonly sealKey: Buffer | undefined
  readonly lock: Lock
  readonly dataDir: string
  readonly scratch: string
  readonly note: (unfinished: string, copy: WrittenCopy) => Promise<void>
}

/**
 * The plain copy is only in the scratch folder, beside the list: the encrypted one may be anywhere.
 */
async function writeEncrypted(backups: Backups, encrypting: Encrypting): Promise<WrittenCopy> {
  const { path, keys, sealKey, lock, dataDir, scratch, note } = encrypting
  const own = await keptRehearsalKey(dataDir)
  return backups.write(join(scratch, 'copy.sqlite'), {
    keys,
    sealKey,
    async beforeNamed(plain, copy) {
      const output = outputFile(path, dataDir)
      try {
        await encryptFile(plain, output.unfinished, lock, own)
        await note(output.unfinished, copy)
        output.keep()
      } finally {
        output.discard()
      }
    },
  })
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
  await backups.noteRehearsal({ at: new Date(), copy: folder, fault })
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
  let removed = 0
  const there: KeptCopy[] = []
  for (const copy of known)
    if (isAsMade(folder, copy)) there.push(copy)
    // It was moved, or a killed run never gave it its name. It is remembered, but not for ever.
    else if (Number(newest) - Number(copy.at) > AWAY_MS) await backups.noteRemoved(copy)
  // Copies from the future were made while the clock was wrong: they count for no day, and stay.
  const kept = keptOf(there.map(({ at }) => at).filter((at) => at <= newest))
  for (const copy of there) {
    if (copy.at > newest || kept.has(copy.at)) continue
    rmSync(join(folder, copy.name))
    await backups.noteRemoved(copy)
    removed += 1
  }
  if (removed > 0) syncFolder(folder)
  return { removed, left: there.length - removed }
}
