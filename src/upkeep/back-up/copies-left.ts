import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { orUndefined } from '../../shared/or-undefined.ts'
import type { KeptCopy } from '../../store/backups.ts'
import type { Backups } from '../../store/store.ts'
import { isAsMade } from './copy-folder.ts'
import { lastOneGoes, parseKeepRule } from './keep-rule.ts'
import { listsBefore } from './lists-before.ts'

/** Where an address that is forgotten now may still be, as far as we know. */
export interface CopiesLeft {
  readonly folders: readonly FolderLeft[]
  /** Lists that stand beside this one since a restore. */
  readonly before: readonly string[]
  /** Of the copy that was written last, by a rule or not. */
  readonly last: Date | null
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
  const record = await backups.record()
  const byFolder = Map.groupBy(record.kept, ({ folder }) => folder)
  if (also !== undefined && existsSync(also)) {
    const folder = realpathSync(also)
    byFolder.set(folder, byFolder.get(folder) ?? [])
  }
  const folders = [...byFolder].map(([folder, known]) => leftIn(folder, known, now))
  const isAny = ({ copies, others, missing }: FolderLeft) => copies + others + missing > 0
  return { folders: folders.filter(isAny), before: listsBefore(dataDir), last: record.last }
}

function leftIn(folder: string, known: readonly KeptCopy[], now: Date): FolderLeft {
  // The folder may be missing or unreadable, and the address is erased by now.
  const all = orUndefined(() => readdirSync(folder))
  // Where the folder is away, so are all that were made there.
  const there = all ? known.filter((copy) => isAsMade(folder, copy)) : known
  const rule = parseKeepRule(known.at(-1)?.keep ?? '')
  const times = there.map(({ at }) => at)
  const ours = new Set(there.map(({ name }) => name))
  return {
    folder,
    copies: there.length,
    ...(rule && there.length > 0 && { cleanOn: lastOneGoes(times, rule, now) }),
    others: all?.filter((name) => !ours.has(name)).length ?? 0,
    missing: known.length - there.length,
  }
}
