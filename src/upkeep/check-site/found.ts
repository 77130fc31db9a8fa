import type { Verdict } from '../../shared/finding.ts'
import type { Answer } from './firebase-stranger.ts'

/** What a check of a deployed page found, as a code and its data. A face has the words. */
export type SiteFound = { readonly verdict: Verdict } & (
  | { readonly code: 'served'; readonly site: string }
  /** No `status`: it does not answer. */
  | { readonly code: 'away'; readonly site: string; readonly status?: number | undefined }
  | { readonly code: 'headers' | 'headers-missing' | 'other-page' }
  /** `leadsTo`: where an open page leads. */
  | { readonly code: 'shows'; readonly leadsTo?: string }
  | { readonly code: 'configuration'; readonly appId: string; readonly projectId: string }
  | { readonly code: 'other-app'; readonly there: string; readonly wanted: string }
  | { readonly code: 'no-configuration'; readonly url: string; readonly why: NoConfiguration }
  | { readonly code: 'asks' | 'asks-nobody' }
  | { readonly code: 'signed-in' }
  | { readonly code: 'signed-up'; readonly email: string }
  | {
      readonly code: 'turned-away'
      readonly step: 'sign-in' | 'sign-up'
      readonly site: string
      readonly answer: Answer
    }
  | {
      readonly code: 'forbidden'
      readonly call: ForbiddenCode
      /** What was read beside the list. */
      readonly about?: string | undefined
      /** Where it was not refused. */
      readonly answer?: Answer | undefined
    }
)

/** Why there is no configuration of a page on Firebase; a number is the status of the answer. */
export type NoConfiguration = 'silent' | 'own-server' | 'none' | number

/** Calls that the rules have to refuse. */
export type ForbiddenCode =
  | 'add-unsigned'
  | 'read-own'
  | 'read-list'
  | 'add-unconfirmed'
  | 'read-requests'
  | 'read-beside'
  | 'change'
  | 'write-over'
  | 'third-field'
  | 'long-field'
  | 'long-address'
  | 'no-address'
  | 'own-time'
  | 'guessed-id'
  | 'random-id'
  | 'too-many'
  | 'delete'
