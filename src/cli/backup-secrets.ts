import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BackupSettings } from '../config/programs.ts'
import { keptSealKey, SEAL_KEY } from '../keys/seal-key.ts'
import { OperatorError } from '../terminal/operator-error.ts'
import type { Lock, Openers } from '../upkeep/back-up/age.ts'

/** How a copy is encrypted, if it is. */
export function lockOf({ recipients, passphrase }: BackupSettings): Lock | undefined {
  if (recipients.length > 0) return { recipients }
  return passphrase === undefined ? undefined : { passphrase }
}

/**
 * What opens an encrypted copy: an identity file, or the passphrase of the settings, which never stands on a
 * command line.
 *
 * @throws OperatorError
 */
export const openersFrom = (
  identity: string | undefined,
  passphrase: string | undefined,
): Openers =>
  identity === undefined ? { identities: [], passphrase } : { identities: identitiesIn(identity) }

/** The lines of an identity file, as `age-keygen` writes it. @throws OperatorError */
function identitiesIn(file: string): string[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new OperatorError(`--identity: ${(cause as Error).message}`, { cause })
  }
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const identities = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'))
  if (identities.length > 0) return identities
  throw new OperatorError(
    `--identity: ${file} has no line that begins with AGE-SECRET-KEY-: if it is encrypted itself, decrypt it with age first.`,
  )
}

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
