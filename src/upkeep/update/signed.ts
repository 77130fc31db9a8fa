import { realpathSync, statSync } from 'node:fs'
import { relative } from 'node:path'
import { refused } from '../refusal.ts'
import { refuseWritable } from './alone.ts'
import type { Git } from './git.ts'
import type { Fetched } from './upstream.ts'

/** git's `%G?` for a good signature by a key in the file; everything else is a no. */
const GOOD = 'G'

/**
 * Takes only a commit that one of the operator's keys has signed; its id covers its content and its
 * whole history.
 *
 * @param root the checkout. @param signers a file of public keys outside of it, as
 *   https://man.openbsd.org/ssh-keygen.1#ALLOWED_SIGNERS has it.
 * @throws Refused
 */
export async function refuseUnsigned(
  git: Git,
  root: string,
  { name, commit }: Fetched,
  signers: string,
): Promise<void> {
  const file = keysOutside(root, signers)
  const { stdout, stderr } = await git.ask([
    ...['-c', `gpg.ssh.allowedSignersFile=${file}`, '-c', 'gpg.ssh.program=ssh-keygen'],
    // A signature names its own kind, and only keys of ssh may be used.
    ...['-c', 'gpg.program=false', '-c', 'gpg.openpgp.program=false'],
    ...['-c', 'gpg.x509.program=false'],
    ...['log', '-1', '--no-show-signature', '--format=%G?', commit],
  ])
  if (stdout.trim() === GOOD) return
  const hasNoKeygen = /cannot run ssh-keygen/.test(stderr)
  throw refused({ code: 'unsigned', commit, name, signers, hasNoKeygen })
}

/** @throws Refused for a file that an update could bring, or that others may change. */
function keysOutside(root: string, signers: string): string {
  const refusal = (why: 'missing' | 'inside' | 'no-file', cause?: unknown) =>
    refused({ code: 'signers', signers, why, root }, { cause })
  let file: string
  try {
    file = realpathSync(signers)
  } catch (cause) {
    throw refusal('missing', cause)
  }
  if (!relative(root, file).startsWith('..')) throw refusal('inside')
  // For a folder or a device, other rights would be checked.
  if (!statSync(file).isFile()) throw refusal('no-file')
  refuseWritable(file)
  return file
}
