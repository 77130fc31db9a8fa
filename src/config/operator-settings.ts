import { resolve } from 'node:path'
import { LINK_KEY_RULE, parseLinkKey } from '../keys/link-key.ts'
import { Trouble } from '../operator/terminal/out.ts'
import { parseStoreKind, STORE_RULE, type StoreKind } from './store-setting.ts'

/** What every command reads from the environment; `announce` reads more. */
export interface Settings {
  readonly kind: StoreKind
  /** Absolute; for `sqlite`. */
  readonly dataDir: string
  /** For `firestore`; that of the credentials if it is not set. */
  readonly projectId: string | undefined
  /** `null` for the one that is kept in `dataDir`. */
  readonly linkKey: Buffer | null
}

/** @param root the project's folder, where a relative `DATA_DIR` begins. @throws Trouble */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
  root: string,
): Settings {
  const store = env.STORE?.trim() || 'sqlite'
  const kind = parseStoreKind(store)
  if (!kind) throw new Trouble(`STORE: is "${store}", must be ${STORE_RULE}`)
  const linkKey = parseLinkKey(env.LINK_KEY?.trim() ?? '')
  if (linkKey === undefined) throw new Trouble(`LINK_KEY: is set, must be ${LINK_KEY_RULE}`)
  if (linkKey === null && kind === 'firestore')
    throw new Trouble(
      `LINK_KEY: is not set, must be ${LINK_KEY_RULE}, the one that the servers have`,
    )
  return {
    kind,
    dataDir: resolve(root, env.DATA_DIR?.trim() || 'data'),
    projectId: env.GOOGLE_CLOUD_PROJECT?.trim() || undefined,
    linkKey,
  }
}
