import { inDataFolder } from '../shared/data-folder.ts'
import { isKept, KEY_BYTES, keptKey } from './kept-key.ts'

const ENCODED = 'base64:'

/** Reads a secret of the settings. @returns `undefined` when it is too short. */
export const parseKey = (setting: string): string | undefined =>
  setting.length >= 32 ? setting : undefined

/**
 * Reads the setting `LINK_KEY`: characters as they are, or the bytes of a `link.key` in base64.
 *
 * @returns `undefined` when it is too short.
 */
export function parseLinkKey(setting: string): Buffer | undefined {
  if (setting.startsWith(ENCODED)) {
    const key = Buffer.from(setting.slice(ENCODED.length), 'base64')
    return key.length >= KEY_BYTES ? key : undefined
  }
  const key = parseKey(setting)
  return key === undefined ? undefined : Buffer.from(key)
}

/** Whether these bytes can be a `link.key`. */
export const isLinkKey = isKept

/**
 * The secret that signs unsubscribe links and makes address ids, for the server and the tools on
 * one machine: made when first needed, readable by its owner only.
 *
 * @throws when it cannot be read or made. A broken key is never replaced: with another key, those
 *   who unsubscribed would not be recognised.
 */
export const keptLinkKey = (dataDir: string): Buffer => keptKey(dataDir, inDataFolder.linkKey)
