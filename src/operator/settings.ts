import { resolve } from 'node:path'
import { LINK_KEY_RULE, parseLinkKey } from '../store/link-key.ts'
import { Trouble } from './out.ts'

/** What every command reads from the environment; `announce` reads more. */
export interface Settings {
  /** Absolute. */
  readonly dataDir: string
  /** `null` for the one that is kept in `dataDir`. */
  readonly linkKey: Buffer | null
}

/** @param root the project's folder, where a relative `DATA_DIR` begins. @throws Trouble */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
  root: string,
): Settings {
  const linkKey = parseLinkKey(env.LINK_KEY?.trim() ?? '')
  if (linkKey === undefined) throw new Trouble(`LINK_KEY: is set, must be ${LINK_KEY_RULE}`)
  return { dataDir: resolve(root, env.DATA_DIR?.trim() || 'data'), linkKey }
}
