import { INVITATION_KEY_RULE, parseInvitationKey } from '../keys/invitation-key.ts'
import { LINK_KEY_RULE, parseLinkKey } from '../keys/link-key.ts'
import { FOLDER_RULE, folderIn } from './folders.ts'
import type { Variables } from './variables.ts'

/** The store of the subscribers, for the server and the operator's tools. */
export interface StoreSettings {
  /** Absolute. */
  readonly dataDir: string
  /**
   * Where visitors of a page on Firebase write, with its project if the credentials name none;
   * `undefined` without a page there.
   */
  readonly inbox: { readonly projectId: string | undefined } | undefined
  /** Signs unsubscribe links; `null` for the one that is kept in `dataDir`. */
  readonly linkKey: Buffer | null
  /** Signs invitations; `null` for the one that is kept in `dataDir`. */
  readonly invitationKey: Buffer | null
}

/** @param root the project's folder, where a relative `DATA_DIR` begins. */
export function readStoreSettings(variables: Variables, root: string): StoreSettings {
  const { read } = variables
  const projectId = read('GOOGLE_CLOUD_PROJECT', '', (text) => text, 'a project') || undefined
  const credentials = read('GOOGLE_APPLICATION_CREDENTIALS', '', (text) => text, 'a file')
  return {
    dataDir: read('DATA_DIR', 'data', folderIn(root), FOLDER_RULE),
    inbox: projectId || credentials ? { projectId } : undefined,
    linkKey: read<Buffer | null>('LINK_KEY', '', parseLinkKey, LINK_KEY_RULE),
    // Not required, since most letters have no invitation.
    invitationKey: read<Buffer | null>(
      'INVITATION_KEY',
      '',
      parseInvitationKey,
      INVITATION_KEY_RULE,
    ),
  }
}
