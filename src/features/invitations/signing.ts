import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { keptKey, replaceKey } from '../../keys/kept-key.ts'
import { commandLine } from '../../product/command-line.ts'
import { inDataFolder } from '../../shared/data-folder.ts'
import { say } from '../../shared/say.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import type { FeatureParts } from '../feature.ts'
import { invitationCodes } from './codes.ts'

/** What signs: the setting `INVITATION_KEY`, else the key that is kept in the data folder. */
export type SigningParts = Pick<FeatureParts, 'dataDir' | 'get'> & {
  readonly store: Pick<FeatureParts['store'], 'codeKeys'>
}

const NAME = inDataFolder.codeKey

/** The codes of a key that the product was told of; `undefined` where it has yet to be made. @throws OperatorError */
export async function knownCodes(parts: SigningParts) {
  const known = await parts.store.codeKeys.keys()
  const { dataDir, get } = parts
  const anew = () =>
    say('If it is lost or known to others, begin with another one: {command}', {
      command: commandLine('invitations --new-key'),
    })
  if (!get('INVITATION_KEY') && !existsSync(join(dataDir, NAME))) {
    if (known.length === 0) return undefined
    throw new OperatorError(
      say(
        '{file}, which signs invitations, is not in {dataDir}. Put it back from a back-up. {anew}',
        {
          file: NAME,
          dataDir,
          anew: anew(),
        },
      ),
    )
  }
  const codes = invitationCodes(keyOf(parts))
  if (known[0] && !known.some((one) => one.publicKey === codes.publicKey))
    throw new OperatorError(
      say(
        'Invitations were signed with another key so far: its public key is {known}, and that of this key is {publicKey}. Put the former key back. {anew}',
        { known: known[0].publicKey, publicKey: codes.publicKey, anew: anew() },
      ),
    )
  return codes
}

/** The codes of the key, whose first one is made here. @throws OperatorError, StoreUnavailable */
export async function signing(parts: SigningParts) {
  const codes = (await knownCodes(parts)) ?? invitationCodes(keyOf(parts))
  await parts.store.codeKeys.keep(codes.publicKey, new Date())
  return codes
}

/** Signs with another key from now on; codes of the former one stay valid. @throws OperatorError */
export async function signingAnew(parts: SigningParts) {
  const { dataDir, get, store } = parts
  // Codes that are out need the public key of the former one alone.
  if (!get('INVITATION_KEY')) replaceKey(dataDir, NAME)
  const codes = invitationCodes(keyOf(parts))
  if ((await store.codeKeys.keys()).some((one) => one.publicKey === codes.publicKey))
    throw new OperatorError('INVITATION_KEY is the key that is in use: set another one first.')
  await store.codeKeys.keep(codes.publicKey, new Date())
  return codes
}

function keyOf({ dataDir, get }: SigningParts): Buffer {
  try {
    return get('INVITATION_KEY') ?? keptKey(dataDir, NAME)
  } catch (cause) {
    throw new OperatorError((cause as Error).message, { cause })
  }
}
