import { Refused } from '../shared/refused.ts'
import type { SealState } from './back-up/seal.ts'

/** Why no copy is made, kept, restored or rehearsed. */
export type BackUpRefusal =
  | { readonly code: 'other-back-up' }
  | { readonly code: 'no-copy'; readonly folder: string }
  /** @param other the folder that it is in, where it is `inside`. */
  | {
      readonly code: 'copy-folder'
      readonly folder: string
      readonly why: 'missing' | 'no-folder' | 'inside' | 'open'
      readonly other?: string | undefined
    }
  | { readonly code: 'other-link-key' | 'list-in-use'; readonly dataDir: string }
  | { readonly code: 'from-later'; readonly file: string; readonly madeAt: Date }
  | { readonly code: 'not-sealed'; readonly file: string; readonly seal: SealState }

/** @returns the error to throw. */
export const refused = (why: BackUpRefusal, options?: ErrorOptions) => new Refused(why, options)
