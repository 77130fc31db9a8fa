import { linkSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BESIDE_LIST } from '../../shared/data-folder.ts'

const BEFORE = `${BESIDE_LIST}before-restore-`

/** Keeps a list beside as it is, under a name that nothing has. @returns the file. */
export function keepBefore(list: string): string {
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const kept = join(dirname(list), `${BEFORE}${time}.sqlite`)
  linkSync(list, kept)
  return kept
}

/** The names of the lists that were there before a restore. */
export const listsBefore = (dataDir: string): string[] =>
  readdirSync(dataDir).filter((name) => name.startsWith(BEFORE))
