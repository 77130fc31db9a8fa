import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { BESIDE_LIST } from '../../shared/data-folder.ts'
import { parseKeepRule } from '../../shared/keep-rule.ts'
import { orUndefined } from '../../shared/or-undefined.ts'
import type { KeptCopy } from '../../store/backups.ts'
import type { Backups } from '../../store/store.ts'
import { isAsMade } from './copy-folder.ts'
import { lastOneGoes } from './keep-rule.ts'

const BEFORE = `${BESIDE_LIST}before-restore-`

/** The file in which the list from before a restore stays beside. */
export const beforeRestore = (dataDir: string): string =>
  join(dataDir, `${BEFORE}${new Date().toISOString().replaceAll(/[:.]/g, '-')}.sqlite`)

/** Where an address that is forgotten now may still be, as far as we know. */
export interface CopiesLeft {
  readonly folders: readonly FolderLeft[]
  /** Lists that stand beside this one since a restore. */
  readonly before: readonly string[]
}

export interface FolderLeft {
  readonly folder: string
  /** Those that the rule removes, and when it will have removed the last. */
  readonly copies: number
  readonly cleanOn?: Date
  /** Other files there, which we never remove. */
  readonly others: number
  /** Copies that were made there and are not there now. */
  readonly missing: number
}

/** @param also the folder of the settings, of which nothing may be known yet. */
export async function copiesLeft(
  backups: Backups,
  dataDir: string,
  also: string | undefined,
  now: Date,
): Promise<CopiesLeft> {
  const { kept } = await backups.record()
  const set = also !== undefined && existsSync(also) ? [realpathSync(also)] : []
  const folders = [...new Set([...kept.map(({ folder }) => folder), ...set])]
    .map((folder) => leftIn(folder, kept, now))
    .filter(({ copies, others, missing }) => copies + others + missing > 0)
  return { folders, before: readdirSync(dataDir).filter((name) => name.startsWith(BEFORE)) }
}

function leftIn(folder: string, kept: readonly KeptCopy[], now: Date): FolderLeft {
  const known = kept.filter((one) => one.folder === folder)
  // The folder may be missing or unreadable, and the address is erased by now.
  const all = orUndefined(() => readdirSync(folder))
  // Where the folder is away, so are all that were made there.
  const there = all ? known.filter((copy) => isAsMade(folder, copy)) : known
  const rule = parseKeepRule(known.at(-1)?.keep ?? '')
  const times = there.map(({ at }) => at)
  return {
    folder,
    copies: there.length,
    ...(rule && there.length > 0 && { cleanOn: lastOneGoes(times, rule, now) }),
    others: all?.filter((name) => !there.some((ours) => ours.name === name)).length ?? 0,
    missing: known.length - there.length,
  }
}
