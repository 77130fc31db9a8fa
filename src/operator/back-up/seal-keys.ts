import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  isSealKey,
  keptSealKey,
  parseSealKey,
  SEAL_KEY,
  SEAL_KEY_RULE,
  sealKeyIn,
} from '../../keys/seal-key.ts'
import { OperatorError } from '../terminal/operator-error.ts'

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
      `${file} was made. It seals the copies and is in none of them: keep it where they are not. "base64 -w0 ${file}" prints it, for BACKUP_SEAL_KEY on another machine.`,
    )
  return key
}

/** The key that checks the seal of a copy. @param named a file with it, which counts first. @throws OperatorError */
export function sealKeyForRestore(
  set: Buffer | undefined,
  dataDir: string,
  named: string | undefined,
): Buffer | undefined {
  return named === undefined ? (set ?? sealKeyIn(dataDir)) : sealKeyOf(named)
}

function sealKeyOf(file: string): Buffer {
  const bytes = orMistake(() => readFileSync(file))
  const key = isSealKey(bytes) ? bytes : parseSealKey(bytes.toString().trim())
  if (key) return key
  throw new OperatorError(`--seal-key: ${file} has no key, which is ${SEAL_KEY_RULE}.`)
}

function orMistake<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw new OperatorError(`--seal-key: ${(cause as Error).message}`, { cause })
  }
}
