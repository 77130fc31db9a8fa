import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { inDataFolder } from '../shared/data-folder.ts'
import { isKept, KEY_BYTES, keptKey, makeKey, parseKept } from './kept-key.ts'

const NAME = inDataFolder.invitationKey

export const INVITATION_KEY_RULE = `${KEY_BYTES} bytes in base64, as "openssl rand -base64 ${KEY_BYTES}" or "base64 -w0 ${NAME}" prints them`

/**
 * Reads the setting `INVITATION_KEY`, the private key of invitations.
 *
 * @returns `null` when it is not set, `undefined` for what is no key.
 */
export const parseInvitationKey = parseKept

/** Whether these bytes can be an `invitation.key`. */
export const isInvitationKey = isKept

export const hasInvitationKey = (dataDir: string): boolean => existsSync(join(dataDir, NAME))

/**
 * The private key that signs invitations, made when first needed, readable by its owner only.
 *
 * @throws when it cannot be read or made; a broken one is never replaced.
 */
export const keptInvitationKey = (dataDir: string): Buffer => keptKey(dataDir, NAME)

/** Makes one where there is none. @returns whether it did. */
export const makeInvitationKey = (dataDir: string): boolean => makeKey(dataDir, NAME)
