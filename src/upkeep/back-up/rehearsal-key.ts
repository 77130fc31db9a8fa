import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inDataFolder } from '../../shared/data-folder.ts'
import { refused } from '../refusal.ts'
import { newIdentity } from './age.ts'

/**
 * This machine's own identity, to which each copy is encrypted as well: so it can rehearse a
 * restore without the operator's. Access to the data folder gives the list anyway.
 */
export async function keptRehearsalKey(dataDir: string): Promise<string> {
  const found = rehearsalKey(dataDir)
  if (found !== undefined) return found
  const made = await newIdentity()
  writeFileSync(join(dataDir, NAME), `${made}\n`, { mode: 0o600, flag: 'wx', flush: true })
  return made
}

/** @returns `undefined` where none was made yet. @throws Refused for one that is damaged. */
export function rehearsalKey(dataDir: string): string | undefined {
  const file = join(dataDir, NAME)
  if (!existsSync(file)) return undefined
  const text = readFileSync(file, 'utf8').trim()
  if (/^AGE-SECRET-KEY-PQ-1[0-9A-Z]{50,80}$/.test(text)) return text
  throw refused({ code: 'damaged-rehearsal-key', file })
}

const NAME = inDataFolder.rehearsalKey
