/** What an answer without script brings into view: what cannot have the focus would take it from who types on. */
export const FIELD_FRAGMENT = '#email'

/** The HTTP calls between the page and our own server. */
export const paths = {
  config: '/config.json',
  session: '/api/session',
  subscribers: '/api/subscribers',
  /** Where the form posts when there is no script. */
  subscribe: '/subscribe',
  /** The page after a form without script was accepted. */
  subscribed: '/subscribed',
  /** Whether the page is open; pages in open tabs ask it. */
  opening: '/opening.json',
  /** A token follows, behind a slash. */
  unsubscribe: '/unsubscribe',
} as const

/**
 * Where a confirmation letter leads, with a token behind a slash. The page itself does not use it.
 */
export const confirmPath = '/confirm'

/**
 * Where a question is answered, with a token behind a slash: that of a sign-up, or of a letter. Only
 * where the product asks one.
 */
export const replyPath = '/answer'

/** What stands before the paths of a language, where there are several. @param code as BCP 47 has it. */
export const languagePath = (code: string) => `/${code}`

/**
 * Where links of letters lead in a language: `/de/unsubscribe` for `/unsubscribe`. Any other address is
 * not ours, and has no page in another language.
 *
 * @param path what stands before the language's paths, such as `/de`.
 */
export function urlIn(url: string, path: string): string {
  return url.replace(/\/(?:unsubscribe|confirm)$/, `${path}$&`)
}

/** The mode of a page on the founder's own server. */
export const OWN_SERVER = 'embedded'

/** Body of `GET /config.json`: which backend the page uses. */
export type BackendConfig =
  | { readonly mode: typeof OWN_SERVER; readonly appId: string }
  | {
      readonly mode: 'firebase'
      readonly appId: string
      readonly firebase: Readonly<Record<string, string>>
      /** The addresses of Firebase's emulators; without them it is Google's. */
      readonly emulators?: { readonly auth: string; readonly firestore: string } | undefined
      /** Whether visitors have to confirm; the page was built for that. */
      readonly confirm?: boolean
    }

/** Body of `GET /opening.json`. */
export interface OpeningBody {
  /** Where the open page's button leads; missing while the page says Coming Soon. */
  readonly open?: string
}

/** Body of `GET` and `POST /api/session`. */
export interface SessionBody {
  readonly user: { readonly uid: string; readonly isAnonymous: true } | null
}

/**
 * What a sign-up may say beside its address, with the types of JSON; in a form, all are texts. What
 * `known-fields.ts` has by the same name is kept of who first signs up.
 */
export const formFields = {
  /** The value of a field that people do not see. */
  comment: 'string',
  /** `true` where it was left on the open page, which has other words. */
  isOpen: 'string',
  /** The language of the page, as BCP 47 has it, where there are several. */
  language: 'string',
  /** Whether the session came only after the visitor had submitted, so that its age is no sign of haste. */
  isLate: 'boolean',
  /**
   * For how many milliseconds the visitor could use the form before they submitted. On a slow line that
   * is longer than there is a session.
   */
  openFor: 'number',
  /** Where a form on another site leads back to. */
  back: 'string',
} as const

type FormField = keyof typeof formFields
interface Types {
  readonly string: string
  readonly boolean: boolean
  readonly number: number
}

/** Body of `POST /api/subscribers`. */
export type SubscribeBody = { readonly email: string } & {
  readonly [Name in FormField]?: Types[(typeof formFields)[Name]] | undefined
}

/** Body of the answer to a sign-up. */
export interface SubscribedBody {
  /** Lets the visitor answer the question of the page, where there is one. */
  readonly answer?: string | undefined
}

/** Body of every refusal: `{ "error": code }`. */
export type ApiError =
  | 'bad-request'
  | 'no-session'
  | 'cross-origin'
  | 'not-found'
  | 'too-large'
  | 'unsupported-media-type'
  | 'invalid-email'
  | 'too-many-requests'
  | 'database-unavailable'
  | 'internal'
