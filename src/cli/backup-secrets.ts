import { join } from 'node:path'
import { keptSealKey, SEAL_KEY } from '../keys/seal-key.ts'

/** The key that seals a copy. @param set that of the settings; else one is kept in the data folder. */
export function sealKeyForCopy(
  set: Buffer | undefined,
  dataDir: string,
  say: (text: string) => void,
): Buffer {
  if (set) return set
  const { key, isNew } = keptSealKey(dataDir)
  const file = join(dataDir, SEAL_KEY)
  if (isNew)
    say(
      `${file} is a new key, which proves that a copy was not changed. No copy contains the key: keep the key in another place as well. "base64 -w0 ${file}" prints it, for BACKUP_SEAL_KEY on another machine.`,
    )
  return key
}
