import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { inDataFolder } from '../shared/data-folder.ts'
import { keptKey, replaceKey } from './kept-key.ts'

export { isKept as isInvitationKey } from './kept-key.ts'

const NAME = inDataFolder.invitationKey

export const hasInvitationKey = (dataDir: string) => existsSync(join(dataDir, NAME))

/** Made when first needed. @throws when it cannot be read or made */
export const keptInvitationKey = (dataDir: string) => keptKey(dataDir, NAME)

/** Makes a new one in its place: codes that are out need the public key of the former one alone. */
export const replaceInvitationKey = (dataDir: string) => replaceKey(dataDir, NAME)
