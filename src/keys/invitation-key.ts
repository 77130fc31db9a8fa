import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { inDataFolder } from '../shared/data-folder.ts'
import { KEY_BYTES, keptKey, replaceKey } from './kept-key.ts'

export { isKept as isInvitationKey, parseKept as parseInvitationKey } from './kept-key.ts'

const NAME = inDataFolder.invitationKey

export const INVITATION_KEY_RULE = `${KEY_BYTES} bytes in base64, as "openssl rand -base64 ${KEY_BYTES}" or "base64 -w0 ${NAME}" prints them`

export const hasInvitationKey = (dataDir: string) => existsSync(join(dataDir, NAME))

/** Made when first needed. @throws when it cannot be read or made */
export const keptInvitationKey = (dataDir: string) => keptKey(dataDir, NAME)

/** Makes a new one in its place: codes that are out need the public key of the former one alone. */
export const replaceInvitationKey = (dataDir: string) => replaceKey(dataDir, NAME)
