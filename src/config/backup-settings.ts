import { parseSealKey, SEAL_KEY_RULE } from '../keys/seal-key.ts'
import { FOLDER_RULE, folderIn } from './folders.ts'
import { type Environment, type Read, variables } from './variables.ts'

/** The settings of `backup` and `restore`, beside those of every command. */
export interface BackupSettings {
  /** The folder of the copies that are kept by a rule; absolute. */
  readonly to: string | undefined
  /** The recipients that these copies are encrypted to, as age writes them: `age1…`. */
  readonly recipients: readonly string[]
  /** The passphrase that they are encrypted with instead. */
  readonly passphrase: string | undefined
  /** Seals copies instead of `seal.key` in the data folder. */
  readonly sealKey: Buffer | undefined
}

const LEAST_LENGTH = 16

const PASSPHRASE_RULE = `at least ${LEAST_LENGTH} characters`

function parsePassphrase(text: string): string | undefined {
  return text.length >= LEAST_LENGTH ? text : undefined
}

/** @param root where a relative `BACKUP_TO` begins, as `DATA_DIR` does. */
export function readBackupSettings(env: Environment, root: string): Read<BackupSettings> {
  const { read, mistake, result } = variables(env)
  const to = read('BACKUP_TO', '', (text) => (text ? folderIn(root)(text) : null), FOLDER_RULE)
  const recipients = read(
    'BACKUP_RECIPIENTS',
    '',
    recipientsIn,
    'recipients of age, such as age1…, with commas between',
  )
  const passphrase = read(
    'BACKUP_PASSPHRASE',
    '',
    (text) => (text === '' ? null : parsePassphrase(text)),
    PASSPHRASE_RULE,
  )
  const sealKey = read('BACKUP_SEAL_KEY', '', parseSealKey, SEAL_KEY_RULE)
  if (recipients && recipients.length > 0 && passphrase)
    mistake('BACKUP_RECIPIENTS and BACKUP_PASSPHRASE: set only one of them.')
  return result({
    to: to ?? undefined,
    recipients,
    passphrase: passphrase ?? undefined,
    sealKey: sealKey ?? undefined,
  })
}

/** @returns `undefined` if one of them is no recipient; age checks the rest. */
function recipientsIn(text: string): string[] | undefined {
  const all = text.split(/[\s,]+/).filter((one) => one !== '')
  return all.every((one) => /^age1[a-z0-9]{50,}$/.test(one)) ? all : undefined
}
