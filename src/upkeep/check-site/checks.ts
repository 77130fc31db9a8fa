import { createHash } from 'node:crypto'
import { type BackendConfig, paths } from '../../shared/api.ts'
import type { Finding } from '../../shared/finding.ts'
import { pageIn } from '../../shared/page-in.ts'
import { plainLine } from '../../shared/plain-line.ts'
import { probeAddress } from '../../shared/probe-address.ts'
import { type Answer, firebaseStranger } from './firebase-stranger.ts'
import { forbidden, type Stranger } from './forbidden-calls.ts'
import { adviceFor, quoteOf } from './google-advice.ts'

const TIMEOUT_MS = 30_000
const WITHOUT_CONFIRMATION =
  'visitors are not asked to confirm: build and deploy page and rules with CONFIRM=on'

/**
 * Checks a page on Firebase: a visitor can add a record, and an attacker can do nothing else. It
 * deletes its anonymous user at the end. Its records stay, with addresses that no store counts.
 *
 * @param site URL of the page. @param appId of the product that should be there.
 * @param confirm whether the page should ask for confirmation.
 * @returns the findings, up to the first fatal one.
 */
export async function checkSite(site: URL, appId: string, confirm = false): Promise<Finding[]> {
  const findings: Finding[] = []
  for await (const finding of look(site, appId, confirm)) {
    findings.push(finding)
    if (finding.verdict === 'fatal') break
  }
  return findings
}

async function* look(site: URL, appId: string, shouldConfirm: boolean): AsyncIterable<Finding> {
  const page = await get(site)
  if (!page?.ok) return yield fatal('Page', `${site} ${answered(page)}`)
  yield fine('Page', `${site} is served`)
  const html = await page.text()
  yield headers(page, html)
  yield* whichPage(html)

  const config = await readConfig(new URL(paths.config, site))
  if (typeof config === 'string') return yield fatal('Configuration', config)
  const { confirm } = config
  const { apiKey = '', projectId = '' } = config.firebase
  if (config.appId === appId) yield fine('Configuration', `${appId} in project ${projectId}`)
  else yield fatal('Configuration', `is that of ${config.appId}; product.config.ts says ${appId}`)
  if (confirm) yield fine('Confirmation', 'sign-ups wait beside the list, to be asked')
  else if (shouldConfirm) yield problem('Confirmation', WITHOUT_CONFIRMATION)

  const stranger = firebaseStranger({ apiKey, projectId, appId, referer: site.href, confirm })
  yield* tryFirestore(stranger, site)
}

async function* tryFirestore(stranger: Stranger, site: URL): AsyncIterable<Finding> {
  const email = probeAddress()
  const fields = { email: { stringValue: email } }
  const unsigned = await stranger.idAt(0)
  yield refused(
    'Without sign-in',
    'adding',
    await attempt(() => stranger.commit(unsigned, fields, true)),
  )
  const signedIn = await attempt(stranger.signIn)
  yield accepted('Sign-in', 'anonymous visitors are signed in', signedIn, site)
  try {
    const id = await stranger.idAt(0)
    const added = await attempt(() => stranger.commit(id, fields, true))
    yield accepted('Sign-up', `${email} was added`, added, site)
    for (const { what, doing, run } of forbidden(stranger, id, fields))
      yield refused(what, doing, await attempt(run))
  } finally {
    await attempt(stranger.signOff)
  }
}

const fine = (what: string, detail: string): Finding => ({ what, verdict: 'fine', detail })
const problem = (what: string, detail: string): Finding => ({ what, verdict: 'problem', detail })
const fatal = (what: string, detail: string): Finding => ({ what, verdict: 'fatal', detail })

/** Which of our two pages is up; `headers` reports any other page. */
function* whichPage(html: string): Iterable<Finding> {
  const shown = pageIn(html)
  if (shown.page === 'open') yield fine('Shows', `open, and leads to ${plainLine(shown.url)}`)
  else if (shown.page === 'coming-soon') yield fine('Shows', 'coming soon')
}

/** Whether the host sends the content security policy of this very build. */
function headers(page: Response, html: string): Finding {
  const policy = page.headers.get('content-security-policy') ?? ''
  const [, script] = /<script id="gate">(.*?)<\/script>/s.exec(html) ?? []
  if (script === undefined) return problem('Headers', 'the page is not one that this build made')
  const hash = createHash('sha256').update(script).digest('base64')
  if (policy.includes("default-src 'none'") && policy.includes(hash))
    return fine('Headers', 'the content security policy is that of this build')
  const missing = 'the content security policy of this build is missing'
  return problem('Headers', `${missing}: see firebase.json beside it`)
}

/** @returns the configuration, or a sentence that says what is wrong with it. */
async function readConfig(url: URL) {
  const response = await get(url)
  if (!response?.ok) return `${url} ${answered(response)}`
  const config = (await response.json().catch(() => undefined)) as BackendConfig | undefined
  if (config?.mode === 'embedded') return `${url} names our own server: this checks Firebase`
  if (config?.mode === 'firebase' && config.firebase?.projectId && config.firebase.apiKey)
    return config
  return `${url} is no configuration of this page`
}

function accepted(what: string, detail: string, answer: Answer, site: URL): Finding {
  if (answer.problem === '') return fine(what, detail)
  const advice = adviceFor(answer, site)
  return fatal(
    what,
    `Google answered ${answer.problem}${advice && `: ${advice}`}${quoteOf(answer)}`,
  )
}

/** Everything but a refusal is a fault, even a missing record. */
function refused(what: string, doing: string, answer: Answer): Finding {
  if (answer.status === 403) return fine(what, `${doing} is refused`)
  return answer.status === 200
    ? problem(what, `${doing} IS ALLOWED: deploy the rules`)
    : problem(what, `${doing}: Google answered ${answer.problem}${quoteOf(answer)}`)
}

async function get(url: URL): Promise<Response | undefined> {
  return fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined)
}

const answered = (response: Response | undefined) =>
  response ? `answered ${response.status}` : 'does not answer'

async function attempt(ask: () => Promise<Answer>): Promise<Answer> {
  return ask().catch(() => ({ status: 0, problem: 'nothing', reason: '' }))
}
