import type { Wrong } from '../install/code-rights.ts'
import type { NotReady } from './ready.ts'

/** The owner of a file; `name` if the system has one. */
export interface FileOwner {
  readonly uid?: number
  readonly name?: string
}

/** Why an update does not begin, or ends. @param said the last lines of a program that failed. */
export interface UpdateRefusals {
  'other-update': object
  'not-confirmed': object
  'other-list': { list: string; named: string }
  // What runs the server.
  'no-program': { program: string }
  'may-not-reach': { uid: number; path: string }
  failed: { command: string; said: string }
  'stop-and-start': object
  'systemd-settings': object
  'systemd-root': object
  'server-runs': { url: string }
  // The owners of the files.
  'writable-by-others': { wrong: readonly Wrong[] }
  'not-writable': { place: string; owner: FileOwner; cause?: string }
  'others-checkout': { root: string; owner: FileOwner }
  // The origin of the new version.
  'no-checkout': { root: string }
  'merge-under-way': object
  'git-failed': { args: string; said: string }
  'too-much-for-git': { args: string }
  'old-git': { version: string }
  'follows-nothing': object
  'unknown-branch': { from: string; remote: string | undefined }
  'ambiguous-remote': { from: string; remotes: readonly string[] }
  'no-branch-name': { branch: string }
  'branch-of-another-name': { from: string }
  'ambiguous-branch': { name: string; other: string }
  'branch-gone': { remote: string; branch: string }
  'branch-rewritten': { name: string; remote: string; refspec: string }
  'branch-too-large': { name: string }
  'short-commit': object
  'unknown-commit': { name: string; to: string }
  unsigned: { commit: string; name: string; signers: string; hasNoKeygen: boolean }
  signers: { signers: string; why: 'missing' | 'inside' | 'no-file'; root: string }
  // The content of the new version, and of the checkout.
  'version-too-large': { files: number; gibibytes: number }
  'version-too-old': { file: string }
  uncommitted: { paths: readonly string[] }
  conflict: { paths: readonly string[]; theirs: string }
  'in-the-way': { root: string; paths: readonly string[] }
  'not-prepared': object
  // The trial on a copy of the list.
  announcing: object
  'run-waits': { pid: number }
  'wave-due': { at: Date; isAnOldProgram: boolean }
  'not-backed-up': { said: string }
  'not-copied': { said: string }
  'people-missing': { before: number; after: number }
  'does-not-run': NotReady
  list: { said: string }
}
