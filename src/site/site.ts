import type { Outcome } from '../shared/outcome.ts'

/** What `npm run build` leaves for the server. Everything that may be fetched is in `public`. */
export const site = {
  /** Folders that each build makes anew. */
  built: ['dist', 'dist-firebase'],
  /** Static files, each with `.br` and `.gz` beside it where that is smaller. */
  public: 'dist/public',
  /** The page for each outcome of a form without script; not to be fetched as they are. */
  outcomePage: (outcome: Outcome) => `dist/pages/${outcome}.html`,
  /** The page behind an unsubscribe link. */
  unsubscribePage: (step: UnsubscribeStep) => `dist/pages/unsubscribe-${step}.html`,
  /** The page behind the link of a confirmation letter; built for `CONFIRM=on`. */
  confirmPage: (step: ConfirmPageStep) => `dist/pages/confirm-${step}.html`,
  /** In `public`: what is served for a path that leads nowhere. */
  notFoundPage: '404.html',
  manifest: 'dist/site.json',
} as const

export const unsubscribeSteps = ['ask', 'done', 'broken', 'unavailable'] as const

export type UnsubscribeStep = (typeof unsubscribeSteps)[number]

export const confirmPageSteps = [
  'ask',
  'code',
  'wrong',
  'done',
  'not-me',
  'ended',
  'unavailable',
] as const

export type ConfirmPageStep = (typeof confirmPageSteps)[number]

/** Stands in an outcome page where the escaped address goes, once, as an attribute's value. */
export const EMAIL_SLOT = '%EMAIL%'

/** `dist/site.json` */
export interface SiteManifest {
  /** The `PUBLIC_URL` that is stamped into the page, without a slash at the end. */
  readonly publicUrl: string | null
  /** CSP sources of what stands inline, such as `'sha256-…'`, quotes included. */
  readonly scriptHashes: readonly string[]
  readonly styleHashes: readonly string[]
  /** Of a page that was built for `CONFIRM=on`: what its form says, for the receipt. */
  readonly shown?: { readonly words: string; readonly language: string }
}
