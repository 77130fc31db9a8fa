import type { Finding } from '../../shared/finding.ts'
import { RECORDS_A_USER } from '../../shared/record-id.ts'
import type { Answer } from '../../upkeep/check-site/firebase-stranger.ts'
import type { ForbiddenCode, NoConfiguration, SiteFound } from '../../upkeep/check-site/found.ts'

/** A finding of a deployed page, with what the operator can do about it. */
export function siteFoundInWords(found: SiteFound): Finding {
  const [what, detail] = inWords(found)
  return { what, verdict: found.verdict, detail }
}

type Said = readonly [what: string, detail: string]

function inWords(found: SiteFound): Said {
  switch (found.code) {
    case 'served':
      return ['Page', `${found.site} is served`]
    case 'away':
      return ['Page', `${found.site} ${answered(found.status)}`]
    case 'headers':
      return ['Headers', 'the content security policy is that of this build']
    case 'headers-missing':
      return [
        'Headers',
        'the content security policy of this build is missing: see firebase.json beside it',
      ]
    case 'other-page':
      return ['Headers', 'the page is not one that this build made']
    case 'shows':
      return ['Shows', found.leadsTo ? `open, and leads to ${found.leadsTo}` : 'coming soon']
    case 'configuration':
      return ['Configuration', `${found.appId} in project ${found.projectId}`]
    case 'other-app':
      return ['Configuration', `is that of ${found.there}; product.config.ts says ${found.wanted}`]
    case 'no-configuration':
      return ['Configuration', `${found.url} ${noConfiguration(found.why)}`]
    case 'asks':
      return ['Confirmation', 'sign-ups wait beside the list, to be asked']
    case 'asks-nobody':
      return [
        'Confirmation',
        'visitors are not asked to confirm: build and deploy page and rules with CONFIRM=on',
      ]
    case 'signed-in':
      return ['Sign-in', 'anonymous visitors are signed in']
    case 'signed-up':
      return ['Sign-up', `${found.email} was added`]
    case 'turned-away': {
      const { answer, site, step } = found
      const advice = adviceFor(answer, site)
      return [
        step === 'sign-in' ? 'Sign-in' : 'Sign-up',
        `Google answered ${answer.problem}${advice && `: ${advice}`}${quoteOf(answer)}`,
      ]
    }
    case 'forbidden': {
      const [what, doing] = forbiddenCalls[found.call]
      const which = found.about ? ` ${found.about}` : ''
      return [what, `${doing}${which}${notRefused(found.answer)}`]
    }
  }
}

const answered = (status: number | undefined) =>
  status === undefined ? 'does not answer' : `answered ${status}`

function noConfiguration(why: NoConfiguration): string {
  if (why === 'own-server') return 'names our own server: this checks Firebase'
  if (why === 'none') return 'is no configuration of this page'
  return answered(why === 'silent' ? undefined : why)
}

function notRefused(answer: Answer | undefined): string {
  if (!answer) return ' is refused'
  return answer.status === 200
    ? ' IS ALLOWED: deploy the rules'
    : `: Google answered ${answer.problem}${quoteOf(answer)}`
}

const ofNew = (doing: string): Said => ['A new record', doing]

const forbiddenCalls: Readonly<Record<ForbiddenCode, Said>> = {
  'add-unsigned': ['Without sign-in', 'adding'],
  'read-own': ['One record', 'reading'],
  'read-list': ['The list', 'reading'],
  'add-unconfirmed': ['The list', 'adding without confirmation'],
  'read-requests': ['Who has yet to confirm', 'reading'],
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
function adviceFor({ problem, reason }: Answer, site: string): string {
  const said = `${problem} ${reason}`
  return advice.find(([sign]) => sign.test(said))?.[1](site) ?? ''
}

const QUOTED_LENGTH = 300

/** Google's own message, which often links to the page of the setting. */
function quoteOf({ problem, reason }: Answer): string {
  return reason === '' || reason === problem ? '' : ` (Google: ${reason.slice(0, QUOTED_LENGTH)})`
}
