import type { Verdict } from '../shared/finding.ts'

/** What a check of a page with our form found, as a code and its data. A face has the words. */
export type EmbedFound = { readonly verdict: Verdict } & (
  | { readonly code: 'served'; readonly page: string }
  /** No `status`: it does not answer. */
  | { readonly code: 'away'; readonly page: string; readonly status?: number | undefined }
  /** It is on another host, which nobody typed. */
  | { readonly code: 'moved'; readonly to: string }
  | { readonly code: 'origin-known' | 'origin-unknown'; readonly origin: string }
  | { readonly code: 'form' }
  | { readonly code: 'no-form' }
  | { readonly code: 'action'; readonly action: string; readonly right: string }
  | { readonly code: 'method' | 'enctype'; readonly value: string }
  | { readonly code: 'no-field' }
  | { readonly code: 'back' | 'wrong-back'; readonly back: string }
  | {
      readonly code: 'blocked'
      readonly what: 'form' | 'form-back' | 'script' | 'connect' | 'style'
      /** The sources that the policy has. */
      readonly sources: string
      /** What is to be added to them. */
      readonly add: string
    }
  | { readonly code: 'policy'; readonly isThere: boolean }
  | { readonly code: 'no-referrer' }
  | { readonly code: 'script' | 'no-script' | 'script-outdated' | 'script-unheld' | 'script-wrong' }
)
