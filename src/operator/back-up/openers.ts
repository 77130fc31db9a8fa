import { readFileSync } from 'node:fs'
import { askSecret } from '../terminal/ask-secret.ts'
import { OperatorError } from '../terminal/operator-error.ts'
import type { Openers } from './age.ts'

/** The lines of an identity file, as `age-keygen` writes it. @throws OperatorError */
export function identitiesIn(file: string): string[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new OperatorError(`--identity: ${(cause as Error).message}`, { cause })
  }
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const identities = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'))
  if (identities.length > 0) return identities
  const isLocked = /^(-----BEGIN AGE|age-encryption\.org)/.test(text)
  throw new OperatorError(
    `--identity: ${file} ${isLocked ? 'is encrypted itself: decrypt it with age first' : 'has no line that begins with AGE-SECRET-KEY-'}.`,
  )
}

/**
 * What opens an encrypted copy: an identity file, or the passphrase, which is asked for on the
 * terminal and never stands on a command line.
 *
 * @param known the passphrase of the settings. @throws OperatorError where nobody can be asked.
 */
export async function openersFor(
  isWithPassphrase: boolean,
  identity: string | undefined,
  known: string | undefined,
): Promise<Openers> {
  if (identity !== undefined) return { identities: identitiesIn(identity) }
  if (!isWithPassphrase)
    throw new OperatorError('The copy is encrypted for an identity: name its file with --identity.')
  return { identities: [], passphrase: known ?? (await askSecret('Passphrase of the copy: ')) }
}
