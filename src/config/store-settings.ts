import { INVITATION_KEY_RULE, parseInvitationKey } from '../keys/invitation-key.ts'
import { LINK_KEY_RULE, parseLinkKey } from '../keys/link-key.ts'
import type { StoreKind } from '../store/open-store.ts'
import { FOLDER_RULE, folderIn } from './folders.ts'
import type { Variables } from './variables.ts'

/** The store of the subscribers, for the server and the operator's tools. */
export interface StoreSettings {
  readonly kind: StoreKind
  /** Absolute; for `sqlite`, and for the keys that are `null`. */
  readonly dataDir: string
  /** For `firestore`; that of the credentials if it is not set. */
  readonly projectId: string | undefined
  /** Signs unsubscribe links; `null` for the one that is kept in `dataDir`. */
  readonly linkKey: Buffer | null
  /** Signs invitations; `null` for the one that is kept in `dataDir`, or none with `firestore`. */
  readonly invitationKey: Buffer | null
}

/** @param root the project's folder, where a relative `DATA_DIR` begins. */
export function readStoreSettings(variables: Variables, root: string): StoreSettings {
  const { read } = variables
  const kind = read('STORE', 'sqlite', parseStoreKind, 'sqlite or firestore')
  return {
    kind,
    dataDir: read('DATA_DIR', 'data', folderIn(root), FOLDER_RULE),
    projectId: read('GOOGLE_CLOUD_PROJECT', '', (text) => text, 'a project') || undefined,
    linkKey: readKey(variables, kind, 'LINK_KEY', parseLinkKey, LINK_KEY_RULE),
    // Not required, since most letters have no invitation.
    invitationKey: read<Buffer | null>(
      'INVITATION_KEY',
      '',
      parseInvitationKey,
      INVITATION_KEY_RULE,
    ),
  }
}

/** A secret. It must be set with Firestore, where the programs share no folder to make it in. */
export function readKey<T>(
  { read, mistake }: Variables,
  kind: StoreKind,
  name: string,
  parse: (text: string) => T | null | undefined,
  rule: string,
): T | null {
  const key = read<T | null>(name, '', parse, rule)
  if (key === null && kind === 'firestore')
    mistake(`${name}: is not set, must be ${rule}, the same for server and operator`)
  return key
}

function parseStoreKind(text: string): StoreKind | undefined {
  return text === 'sqlite' || text === 'firestore' ? text : undefined
}
