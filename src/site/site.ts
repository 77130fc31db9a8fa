import { formFields } from '../shared/api.ts'
import type { Outcome } from '../shared/outcome.ts'

/** The output of `npm run build`, for the server. Only `public` is served. */
export const site = {
  /** Folders that every build replaces. */
  built: ['dist', 'dist-firebase'],
  /** Static files, each with `.br` and `.gz` beside it where that is smaller. */
  public: 'dist/public',
  /**
   * A page for each outcome of a form without script. They are templates and are not served as
   * files.
   *
   * @param path of the language, such as `/de`; empty where there is one.
   */
  outcomePage: (outcome: Outcome, path = '') => `dist/pages${path}/${outcome}.html`,
  /** The same of the open page; without an outcome, that page itself. */
  openPage: (outcome?: Outcome, path = '') =>
    `dist/pages${path}/open${outcome ? `-${outcome}` : ''}.html`,
  /** The page with an address filled in and no outcome yet, also as the open page. */
  filledPage: (isOpen: boolean, path = '') =>
    `dist/pages${path}/${isOpen ? 'open-' : ''}filled.html`,
  /** The script for a form on another site. */
  joinScript: (path = '') => `dist/pages${path}/join.js`,
  /**
   * A page behind a link with a token, at one of its steps. That of a confirmation letter may have left
   * before `CONFIRM=off`.
   */
  linkPage: (page: string, step: string, path = '') => `dist/pages${path}/${page}-${step}.html`,
  /** In `public`, and there in the folder of each language: the page and the 404 page. */
  firstPage: 'index.html',
  notFoundPage: '404.html',
  manifest: 'dist/site.json',
  /** The operator's page: `files/` and `files.json` for its browser, `server/render.js`. */
  desk: 'dist/desk',
  /** The pages of a link to it. */
  deskDoors: 'dist/desk/doors.json',
} as const

/** Of a page behind a link of a letter that has one button. */
export const oneButtonSteps = ['ask', 'done', 'broken', 'unavailable'] as const

export type OneButtonStep = (typeof oneButtonSteps)[number]

export const confirmPageSteps = [
  'ask',
  'code',
  'wrong',
  'done',
  // The same two of an address that was left once the page was open.
  'news-ask',
  'news-done',
  'not-me',
  'ended',
  'unavailable',
] as const

/** Those that a reply on the confirmed page leads to, where it asks something. */
export const confirmReplySteps = ['replied', 'wrong-reply'] as const

export type ConfirmPageStep = (typeof confirmPageSteps | typeof confirmReplySteps)[number]

/** Whether the reader has confirmed: only then they are asked more, and given a link. */
export const hasConfirmed = (step: ConfirmPageStep) =>
  ['done', 'news-done', 'replied', 'wrong-reply'].includes(step)

/** Placeholders in an outcome page for the escaped texts of its fields, each an attribute's value. */
export const typedSlots = Object.fromEntries(
  ['email', ...Object.keys(formFields)].map((name) => [name, `%${name.toUpperCase()}%`]),
)

/** Placeholder in an open page for the escaped address that its button leads to. */
export const OPEN_URL_SLOT = '%OPEN_URL%'

/** Placeholder in the confirmed page for what a feature says of who confirmed; it may stand anywhere in a URL. */
export const PERSON_SLOT = 'FRIEND_CODE'

/** The first page, open or not; a page behind a confirmation letter; all others. */
export type PageKind = 'first' | 'confirm' | 'plain'

/** `dist/site.json` */
export interface SiteManifest {
  /** The `PUBLIC_URL` that the page was built with, without a slash at the end. */
  readonly publicUrl: string | null
  /** CSP sources of the inline scripts, such as `'sha256-…'`, quotes included. */
  readonly scriptHashes: readonly string[]
  /** The names of the features that it was built with. */
  readonly features: readonly string[]
  /** The paths of the founder's own files, from the site's root. */
  readonly ownFiles: readonly string[]
  /** What differs by language. The first is the one that a page without a language's path has. */
  readonly languages: readonly [LanguageManifest, ...LanguageManifest[]]
}

export interface LanguageManifest {
  /** As BCP 47 has it. */
  readonly code: string
  /** What stands before its paths, such as `/de`; empty where there is one language. */
  readonly path: string
  /** CSP sources of the one style of each kind of page. */
  readonly styleHashes: Readonly<Record<PageKind, string>>
  /** Of a page that was built for `CONFIRM=on`: what its form says, for the receipt. */
  readonly shown?: {
    readonly words: string
    /** The same of the open page. */
    readonly openWords: string
    /** The same of the form on another site. */
    readonly formWords: string
  }
}
