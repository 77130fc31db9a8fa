import type { Answer } from './firebase-stranger.ts'

const advice: readonly [sign: RegExp, what: (site: URL) => string][] = [
  [
    /API_KEY_INVALID|API key not valid/,
    () =>
      "the API key is not valid: put the web app's configuration into firebase.config.json again",
  ],
  [
    /API_KEY_HTTP_REFERRER_BLOCKED|referer .* blocked/i,
    (site) => `the API key is not for this page: add ${site.origin}/* to its website restrictions`,
  ],
  [
    /API_KEY_SERVICE_BLOCKED|requests to this API .* blocked/i,
    () =>
      'the API key is not for this API: allow it Identity Toolkit, Token Service and Cloud Firestore',
  ],
  [
    /SERVICE_DISABLED|has not been used in project|it is disabled/,
    () => 'the API is disabled in this project: enable it',
  ],
  [
    /Datastore Mode/i,
    () => 'the database is in Datastore mode, for good: use a project with one in Native mode',
  ],
  [
    /ADMIN_ONLY_OPERATION|CONFIGURATION_NOT_FOUND|OPERATION_NOT_ALLOWED/,
    () => 'enable Anonymous under Authentication, Sign-in method',
  ],
  [
    /app.?check/i,
    () => 'App Check is enforced, which lets browsers through and no check: try the page by hand',
  ],
  [/RESOURCE_EXHAUSTED|QUOTA|TOO_MANY_ATTEMPTS/, () => 'a quota is used up: see its usage page'],
  [
    /PERMISSION_DENIED/,
    () =>
      'deploy the rules that stand beside the page; or App Check is enforced for Firestore, which answers the same and lets no check through',
  ],
  [/NOT_FOUND/, () => 'create the database (default)'],
]

/** Advice for an error of Google's; empty if there is none. Specific errors are matched first. */
export function adviceFor({ problem, reason }: Answer, site: URL): string {
  const said = `${problem} ${reason}`
  return advice.find(([sign]) => sign.test(said))?.[1](site) ?? ''
}

const QUOTED_LENGTH = 300

/** Google's own message, which often links to the page of the setting. */
export function quoteOf({ problem, reason }: Answer): string {
  return reason === '' || reason === problem ? '' : ` (Google: ${reason.slice(0, QUOTED_LENGTH)})`
}
