import type { GoogleAnswer } from '../../checks/firebase.ts'
import type { SiteFound } from '../../checks/site.ts'
import type { Finding } from '../../shared/finding.ts'
import { RECORDS_A_USER } from '../../shared/record-id.ts'

type Said = readonly [what: string, detail: string]
type FoundOf<C> = Extract<SiteFound, { readonly code: C }>

const words: { readonly [C in SiteFound['code']]: (found: FoundOf<C>) => Said } = {
  served: ({ site }) => ['Page', `${site} is served`],
  away: ({ site, status }) => ['Page', `${site} ${answered(status)}`],
  headers: () => ['Headers', 'the content security policy is that of this build'],
  'headers-missing': () => [
    'Headers',
    'the content security policy of this build is missing: see firebase.json beside it',
  ],
  'other-page': () => ['Headers', 'the page is not one that this build made'],
  shows: ({ leadsTo }) => ['Shows', leadsTo ? `open, and leads to ${leadsTo}` : 'coming soon'],
  configuration: ({ appId, projectId }) => ['Configuration', `${appId} in project ${projectId}`],
  'other-app': ({ there, wanted }) => [
    'Configuration',
    `is that of ${there}; product.config.ts says ${wanted}`,
  ],
  'no-configuration': ({ url, why }) => ['Configuration', `${url} ${noConfiguration(why)}`],
  asks: () => ['Confirmation', 'sign-ups wait outside the list until they confirm'],
  'asks-nobody': () => [
    'Confirmation',
    'visitors are not asked to confirm: build and deploy page and rules with CONFIRM=on',
  ],
  'signed-in': () => ['Sign-in', 'anonymous visitors are signed in'],
  'signed-up': ({ email }) => ['Sign-up', `${email} was added`],
  'turned-away': ({ step, site, answer }) => {
    const advice = adviceFor(answer, site)
    const what = step === 'sign-in' ? 'Sign-in' : 'Sign-up'
    return [what, `Google answered ${answer.problem}${advice && `: ${advice}`}${quoteOf(answer)}`]
  },
  forbidden: ({ call, about, answer }) => {
    const [what, doing] = forbiddenCalls[call]
    return [what, `${doing}${about ? ` ${about}` : ''}${notRefused(answer)}`]
  },
}

/** A finding of a deployed page, with what the operator can do about it. */
export function siteFoundInWords(found: SiteFound): Finding {
  const [what, detail] = (words[found.code] as (found: SiteFound) => Said)(found)
  return { what, verdict: found.verdict, detail }
}

const answered = (status: number | undefined) =>
  status === undefined ? 'does not answer' : `answered ${status}`

function noConfiguration(why: FoundOf<'no-configuration'>['why']): string {
  if (why === 'own-server')
    return 'belongs to a page on your own server: this command checks pages on Firebase'
  if (why === 'none') return 'is no configuration of this page'
  return answered(why === 'silent' ? undefined : why)
}

function notRefused(answer: GoogleAnswer | undefined): string {
  if (!answer) return ' is refused'
  return answer.status === 200
    ? ' IS ALLOWED: deploy the rules'
    : `: Google answered ${answer.problem}${quoteOf(answer)}`
}

const ofNew = (doing: string): Said => ['A new record', doing]

const forbiddenCalls: Readonly<Record<FoundOf<'forbidden'>['call'], Said>> = {
  'add-unsigned': ['Without sign-in', 'adding'],
  'read-own': ['One record', 'reading'],
  'read-list': ['The list', 'reading'],
  'add-unconfirmed': ['The list', 'adding without confirmation'],
  'read-requests': ['Who has not confirmed', 'reading'],
  'read-beside': ['Beside the list', 'reading'],
  change: ['One record', 'changing'],
  'write-over': ['One record', 'writing over'],
  'third-field': ofNew('a third field'),
  'long-field': ofNew('a field of 900 kB'),
  'long-address': ofNew('an address of 900 kB'),
  'no-address': ofNew('no address'),
  'own-time': ofNew("a time of one's own"),
  'guessed-id': ofNew('an id that can be guessed'),
  'random-id': ofNew('a random id'),
  'too-many': ofNew(`more than ${RECORDS_A_USER} for one user`),
  delete: ['One record', 'deleting'],
}

const advice: readonly [sign: RegExp, what: (site: string) => string][] = [
  [
    /API_KEY_INVALID|API key not valid/,
    () =>
      "the API key is not valid: put the web app's configuration into firebase.config.json again",
  ],
  [
    /API_KEY_HTTP_REFERRER_BLOCKED|referer .* blocked/i,
    (site) =>
      `the API key is not for this page: add ${new URL(site).origin}/* to its website restrictions`,
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
    () => 'App Check is enforced: it lets browsers in, but not this command. Try the page by hand',
  ],
  [/RESOURCE_EXHAUSTED|QUOTA|TOO_MANY_ATTEMPTS/, () => 'a quota is used up: see its usage page'],
  [
    /PERMISSION_DENIED/,
    () =>
      'deploy the rules that stand beside the page. If they are deployed already, App Check keeps this command out of Firestore',
  ],
  [/NOT_FOUND/, () => 'create the database (default)'],
]

/** Advice for an error of Google's; empty if there is none. Specific errors are matched first. */
function adviceFor({ problem, reason }: GoogleAnswer, site: string): string {
  const said = `${problem} ${reason}`
  return advice.find(([sign]) => sign.test(said))?.[1](site) ?? ''
}

const QUOTED_LENGTH = 300

/** Google's own message, which often links to the page of the setting. */
function quoteOf({ problem, reason }: GoogleAnswer): string {
  return reason === '' || reason === problem ? '' : ` (Google: ${reason.slice(0, QUOTED_LENGTH)})`
}
