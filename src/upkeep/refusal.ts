import { Refused } from '../shared/refused.ts'
import type { Wrong } from './install/code-rights.ts'
import type { NotReady } from './update/ready.ts'

/** Why no copy is made, kept, restored or rehearsed. */
export type BackUpRefusal =
  | { readonly code: 'other-back-up' }
  | { readonly code: 'no-recipient'; readonly recipient: string }
  | { readonly code: 'no-identity' }
  | { readonly code: 'no-rule'; readonly keep: string }
  | { readonly code: 'no-copy'; readonly folder: string }
  /** @param other the folder that it is in, where it is `inside`. */
  | {
      readonly code: 'copy-folder'
      readonly folder: string
      readonly why: 'missing' | 'no-folder' | 'inside' | 'open'
      readonly other?: string | undefined
    }
  | { readonly code: 'not-decrypted'; readonly file: string; readonly why: string }
  | { readonly code: 'other-link-key'; readonly dataDir: string }
  | { readonly code: 'damaged-rehearsal-key'; readonly file: string }

/** The owner of a file; `name` if the system has one. */
export interface FileOwner {
  readonly uid?: number
  readonly name?: string
}

/** Why an update does not begin, or ends. @param said the last lines of a program that failed. */
export type UpdateRefusal =
  | { readonly code: 'other-update' | 'not-confirmed' }
  | { readonly code: 'other-list'; readonly list: string; readonly named: string }
  // What runs the server.
  | { readonly code: 'no-program'; readonly program: string }
  | { readonly code: 'may-not-reach'; readonly uid: number; readonly path: string }
  | { readonly code: 'failed'; readonly command: string; readonly said: string }
  | { readonly code: 'stop-and-start' | 'systemd-settings' | 'systemd-root' }
  | { readonly code: 'server-runs'; readonly url: string }
  // The owners of the files.
  | { readonly code: 'writable-by-others'; readonly wrong: readonly Wrong[] }
  | {
      readonly code: 'not-writable'
      readonly place: string
      readonly owner: FileOwner
      readonly cause?: string
    }
  | { readonly code: 'others-checkout'; readonly root: string; readonly owner: FileOwner }
  // The origin of the new version.
  | { readonly code: 'no-checkout'; readonly root: string }
  | { readonly code: 'merge-under-way' }
  | { readonly code: 'git-failed'; readonly args: string; readonly said: string }
  | { readonly code: 'too-much-for-git'; readonly args: string }
  | { readonly code: 'old-git'; readonly version: string }
  | { readonly code: 'follows-nothing' }
  | { readonly code: 'unknown-branch'; readonly from: string; readonly remote: string | undefined }
  | {
      readonly code: 'ambiguous-remote'
      readonly from: string
      readonly remotes: readonly string[]
    }
  | { readonly code: 'no-branch-name'; readonly branch: string }
  | { readonly code: 'branch-of-another-name'; readonly from: string }
  | { readonly code: 'ambiguous-branch'; readonly name: string; readonly other: string }
  | { readonly code: 'branch-gone'; readonly remote: string; readonly branch: string }
  | {
      readonly code: 'branch-rewritten'
      readonly name: string
      readonly remote: string
      readonly refspec: string
    }
  | { readonly code: 'branch-too-large'; readonly name: string }
  | { readonly code: 'short-commit' }
  | { readonly code: 'unknown-commit'; readonly name: string; readonly to: string }
  | {
      readonly code: 'unsigned'
      readonly commit: string
      readonly name: string
      readonly signers: string
      readonly hasNoKeygen: boolean
    }
  | {
      readonly code: 'signers'
      readonly signers: string
      readonly why: 'missing' | 'inside' | 'no-file'
      readonly root: string
    }
  // The content of the new version, and of the checkout.
  | { readonly code: 'version-too-large'; readonly files: number; readonly gibibytes: number }
  | { readonly code: 'version-too-old'; readonly file: string }
  | { readonly code: 'uncommitted'; readonly paths: readonly string[] }
  | { readonly code: 'conflict'; readonly paths: readonly string[]; readonly theirs: string }
  | { readonly code: 'in-the-way'; readonly root: string; readonly paths: readonly string[] }
  | { readonly code: 'not-prepared' }
  // The trial on a copy of the list.
  | { readonly code: 'announcing' }
  | { readonly code: 'run-waits'; readonly pid: number }
  | { readonly code: 'not-backed-up'; readonly said: string }
  | { readonly code: 'not-copied'; readonly said: string }
  | { readonly code: 'people-missing'; readonly before: number; readonly after: number }
  | { readonly code: 'does-not-run'; readonly found: NotReady }
  | { readonly code: 'list'; readonly said: string }

/** Why upkeep refuses a task, with the data that a person needs. */
export type UpkeepRefusal = BackUpRefusal | UpdateRefusal

/** @returns the error to throw. */
export const refused = (why: UpkeepRefusal, options?: ErrorOptions) => new Refused(why, options)
