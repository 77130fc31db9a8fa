import { cacheControl } from '../../src/site/cache-control.ts'
import { BINARY, contentTypeOf } from '../../src/site/content-type.ts'
import { cleanPath } from '../../src/site/own-paths.ts'
import {
  ownFileHeaders,
  securityHeaders,
  staticFileHeaders,
} from '../../src/site/security-headers.ts'
import { site } from '../../src/site/site.ts'
import workers from './worker-names.json' with { type: 'json' }

/** Whom the page calls in this mode: signing in, keeping the sign-in fresh, writing the record. */
const FIREBASE = [
  'https://identitytoolkit.googleapis.com',
  'https://securetoken.googleapis.com',
  'https://firestore.googleapis.com',
]

/** On a static host only the name of a file tells that a browser asks for a service worker. */
export const WORKERS: readonly string[] = workers

interface Backend {
  /** Whom the page calls, where that is not Google. */
  readonly calls?: readonly string[] | undefined
  readonly appCheck?: boolean
  /** The founder's own files, by their path in `public`. */
  readonly own?: ReadonlyMap<string, Buffer> | undefined
}

/** What App Check needs beside, with reCAPTCHA Enterprise. */
const APP_CHECK = {
  calls: ['https://content-firebaseappcheck.googleapis.com', 'https://www.google.com/recaptcha/'],
  scripts: ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
  frames: ['https://www.google.com/recaptcha/', 'https://recaptcha.google.com/recaptcha/'],
}

/** Where Firebase Hosting looks for what a browser prefers, by the language's two or three letters. */
const BY_LANGUAGE = 'by-language'

interface Page {
  readonly language: { readonly code: string; readonly path: string }
  /** CSP sources of the styles of its pages. */
  readonly styleHashes: { readonly first: string; readonly plain: string }
}

/** A language on Firebase Hosting, and the folders in which its pages are. */
export interface HostedLanguage<Own extends Page = Page> {
  readonly page: Own
  readonly folders: readonly string[]
}

/**
 * The folders of each language: its path, for the first also none, and where there are several that of
 * what a browser prefers. Firebase looks at its first letters alone, so one language stands for them.
 */
export function hostedLanguages<Own extends Page>(pages: readonly Own[]): HostedLanguage<Own>[] {
  const preferred = new Map<string, Own>()
  for (const page of pages.toReversed()) preferred.set(page.language.code.split('-')[0] ?? '', page)
  return pages.map((page) => {
    const letters = [...preferred].filter(([, one]) => one === page).map(([name]) => name)
    const chosen = pages.length > 1 ? letters.map((name) => `${BY_LANGUAGE}/${name}`) : []
    const own = new Set([page.language.path, ...(page === pages[0] ? [''] : [])])
    return { page, folders: [...own, ...chosen] }
  })
}

/**
 * Firebase Hosting's part of `firebase.json`: the headers that our own server would send.
 *
 * @param files all of the folder `public`, by their path in it. @param scriptHashes CSP sources.
 */
export function hosting(
  files: readonly string[],
  scriptHashes: readonly string[],
  languages: readonly HostedLanguage[],
  { calls = FIREBASE, appCheck = false, own = new Map() }: Backend = {},
) {
  const more = appCheck ? { ...APP_CHECK, calls: [...calls, ...APP_CHECK.calls] } : { calls }
  const security = (some: readonly HostedLanguage[]) => {
    const styleHashes = some.flatMap(({ page: { styleHashes: of } }) => [of.first, of.plain])
    const inline = { scriptHashes, styleHashes }
    return { ...securityHeaders({ inline, ...more, formPosts: false }), ...staticFileHeaders }
  }
  const isAsset = (file: string) => file.startsWith('assets/')
  const paths = files.filter((file) => !isAsset(file)).map((file) => `/${file}`)
  const isOne = languages.length === 1
  const each = isOne ? [] : languages.map((one) => ({ one, path: one.page.language.path }))
  const pages = ['/', ...each.map(({ path }) => `${path}/`)]
  const ownPages = [...own.keys()].flatMap((path) => {
    const source = cleanPath(`/${path}`)
    return source && !own.has(source.slice(1)) ? [{ source, destination: `/${path}` }] : []
  })
  const ownRules = [...own].flatMap(([path, content]) => {
    const type = contentTypeOf(path, content)
    const headers = headerList({
      ...ownFileHeaders(security(languages), type),
      // Hosting knows more of them.
      ...(type !== BINARY && { 'content-type': type }),
    })
    const also = ownPages.filter(({ destination }) => destination === `/${path}`)
    return [`/${path}`, ...also.map(({ source }) => source)].map((source) => ({ source, headers }))
  })
  const workers = WORKERS.filter((name) => !own.has(name)).map((name) => ({
    source: `/${name}`,
    headers: headerList({ 'service-worker-allowed': '/' }),
  }))
  // Each path has one rule for its lifetime, so that no order decides.
  const lifetimes = [...pages, '/assets/**', ...paths.toSorted()].map((source) => ({
    source,
    headers: headerList(
      isOne || !CHOSEN.includes(source)
        ? { 'cache-control': cacheControl(source) }
        : { 'cache-control': 'private, no-cache', vary: 'accept-language' },
    ),
  }))
  const cleanLifetimes = ownPages.map(({ source, destination }) => ({
    source,
    headers: headerList({ 'cache-control': cacheControl(destination) }),
  }))
  return {
    public: 'public',
    ...(!isOne && { i18n: { root: `/${BY_LANGUAGE}` } }),
    ...(ownPages.length > 0 && { rewrites: ownPages }),
    headers: [
      // Without a language's path, any of them may be sent.
      { source: '**', headers: headerList(security(languages)) },
      // Whichever of two rules counts, or both: each page has its own style.
      ...each.map(({ one, path }) => ({
        source: `${path}/`,
        headers: headerList(security([one])),
      })),
      // The last rule counts.
      ...ownRules,
      ...workers,
      ...lifetimes,
      ...cleanLifetimes,
    ],
  }
}

/** The paths that have another page for another language. */
const CHOSEN = ['/', `/${site.firstPage}`, `/${site.notFoundPage}`]

function headerList(headers: Readonly<Record<string, string>>) {
  return Object.entries(headers).map(([key, value]) => ({ key, value }))
}
