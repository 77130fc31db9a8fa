import { cacheControl } from '../../src/site/cache-control.ts'
import { type Inline, securityHeaders, staticFileHeaders } from '../../src/site/security-headers.ts'

/** Whom the page calls in this mode: signing in, keeping the sign-in fresh, writing the record. */
const FIREBASE = [
  'https://identitytoolkit.googleapis.com',
  'https://securetoken.googleapis.com',
  'https://firestore.googleapis.com',
]

interface Backend {
  /** Whom the page calls, where that is not Google. */
  readonly calls?: readonly string[] | undefined
  readonly appCheck?: boolean
}

/** What App Check needs beside, with reCAPTCHA Enterprise. */
const APP_CHECK = {
  calls: ['https://content-firebaseappcheck.googleapis.com', 'https://www.google.com/recaptcha/'],
  scripts: ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
  frames: ['https://www.google.com/recaptcha/', 'https://recaptcha.google.com/recaptcha/'],
}

/**
 * Firebase Hosting's part of `firebase.json`: the headers that our own server would send.
 *
 * @param files all of the folder `public`, by their path in it. */
export function hosting(
  files: readonly string[],
  inline: Inline,
  { calls = FIREBASE, appCheck = false }: Backend = {},
) {
  const more = appCheck ? { ...APP_CHECK, calls: [...calls, ...APP_CHECK.calls] } : { calls }
  const security = securityHeaders({ inline, ...more, formPosts: false })
  const isAsset = (file: string) => file.startsWith('assets/')
  const paths = files.filter((file) => !isAsset(file)).map((file) => `/${file}`)
  // Each path has one rule for its lifetime, so that no order decides.
  const lifetimes = ['/', '/assets/**', ...paths.toSorted()].map((source) => ({
    source,
    headers: headerList({ 'cache-control': cacheControl(source) }),
  }))
  return {
    public: 'public',
    headers: [
      { source: '**', headers: headerList({ ...security, ...staticFileHeaders }) },
      ...lifetimes,
    ],
  }
}

function headerList(headers: Readonly<Record<string, string>>) {
  return Object.entries(headers).map(([key, value]) => ({ key, value }))
}
