import type { NotReady } from './update/ready.ts'
import type { ServiceKind } from './update/service.ts'
import type { Look } from './update/source.ts'

/** The events that upkeep reports, with the data that a person needs. */
export interface Told {
  'waits-for-other-back-up': object
  /** `service` is left out of a look at what a server that runs would be updated to. */
  plan: {
    look: Look
    steps: readonly string[]
    isFirestore: boolean
    service: ServiceKind | undefined
  }
  interrupted: object
  'nothing-new': object
  /** Of a program of the installed version, in its own words. */
  'program-said': { line: string }
  'no-folder-for-back-ups': object
  'tried-empty': { isFirestore: boolean }
  'tried-on-a-copy': { subscribers: number; version?: number | undefined }
  'changed-meanwhile': object
  'being-finished': object
  'going-forth': { before: string; after: string }
  starting: object
  'in-place': { after: string; service: ServiceKind }
  'not-ready': NotReady
  'stays-in-firestore': { before: string; after: string }
  'stop-failed': { command: string; said: string; url: string }
  'going-back': { before: string }
  'list-stays-new': object
  'went-back': { before: string; why: NotReady | undefined }
}

/** Reports an event, which a face puts into words by `code`. */
export type Report = <Code extends keyof Told>(code: Code, data: Told[Code]) => void
