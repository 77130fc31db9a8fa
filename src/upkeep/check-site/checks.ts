import { createHash } from 'node:crypto'
import { type BackendConfig, paths } from '../../shared/api.ts'
import { OUR_AGENT } from '../../shared/our-agent.ts'
import { pageIn } from '../../shared/page-in.ts'
import { plainLine } from '../../shared/plain-line.ts'
import { probeAddress } from '../../shared/probe-address.ts'
import { type Answer, firebaseStranger } from './firebase-stranger.ts'
import { forbidden, type Stranger } from './forbidden-calls.ts'
import type { ForbiddenCode, NoConfiguration, SiteFound } from './found.ts'

const TIMEOUT_MS = 30_000

/**
 * Checks a page on Firebase: a visitor can add a record, and an attacker can do nothing else. It
 * deletes its anonymous user at the end. Its records stay, with addresses that no store counts.
 *
 * @param site URL of the page. @param appId of the product that should be there.
 * @param confirm whether the page should ask for confirmation.
 * @returns the findings, up to the first fatal one.
 */
export async function checkSite(site: URL, appId: string, confirm = false): Promise<SiteFound[]> {
  const findings: SiteFound[] = []
  for await (const finding of look(site, appId, confirm)) {
    findings.push(finding)
    if (finding.verdict === 'fatal') break
  }
  return findings
}

async function* look(site: URL, appId: string, shouldConfirm: boolean): AsyncIterable<SiteFound> {
  const page = await get(site)
  if (!page?.ok)
    return yield { code: 'away', verdict: 'fatal', site: site.href, status: page?.status }
  yield { code: 'served', verdict: 'fine', site: site.href }
  const html = await page.text()
  yield headers(page, html)
  yield* whichPage(html)

  const url = new URL(paths.config, site)
  const config = await readConfig(url)
  if (!('firebase' in config))
    return yield { code: 'no-configuration', verdict: 'fatal', url: url.href, why: config.why }
  const { confirm } = config
  const { apiKey = '', projectId = '' } = config.firebase
  if (config.appId === appId) yield { code: 'configuration', verdict: 'fine', appId, projectId }
  else yield { code: 'other-app', verdict: 'fatal', there: config.appId, wanted: appId }
  if (confirm) yield { code: 'asks', verdict: 'fine' }
  else if (shouldConfirm) yield { code: 'asks-nobody', verdict: 'problem' }

  const stranger = firebaseStranger({ apiKey, projectId, appId, referer: site.href, confirm })
  yield* tryFirestore(stranger, site.href)
}

async function* tryFirestore(stranger: Stranger, site: string): AsyncIterable<SiteFound> {
  const email = probeAddress()
  const fields = { email: { stringValue: email } }
  const unsigned = await stranger.idAt(0)
  yield refused('add-unsigned', await attempt(() => stranger.commit(unsigned, fields, true)))
  const signedIn = await attempt(stranger.signIn)
  if (signedIn.problem === '') yield { code: 'signed-in', verdict: 'fine' }
  else yield { code: 'turned-away', verdict: 'fatal', step: 'sign-in', site, answer: signedIn }
  try {
    const id = await stranger.idAt(0)
    const added = await attempt(() => stranger.commit(id, fields, true))
    if (added.problem === '') yield { code: 'signed-up', verdict: 'fine', email }
    else yield { code: 'turned-away', verdict: 'fatal', step: 'sign-up', site, answer: added }
    for (const { code, about, run } of forbidden(stranger, id, fields))
      yield refused(code, await attempt(run), about)
  } finally {
    await attempt(stranger.signOff)
  }
}

/** Which of our two pages is up; `headers` reports any other page. */
function* whichPage(html: string): Iterable<SiteFound> {
  const shown = pageIn(html)
  if (shown.page === 'open') yield { code: 'shows', verdict: 'fine', leadsTo: plainLine(shown.url) }
  else if (shown.page === 'coming-soon') yield { code: 'shows', verdict: 'fine' }
}

/** Whether the host sends the content security policy of this very build. */
function headers(page: Response, html: string): SiteFound {
  const policy = page.headers.get('content-security-policy') ?? ''
  const [, script] = /<script id="gate">(.*?)<\/script>/s.exec(html) ?? []
  if (script === undefined) return { code: 'other-page', verdict: 'problem' }
  const hash = createHash('sha256').update(script).digest('base64')
  return policy.includes("default-src 'none'") && policy.includes(hash)
    ? { code: 'headers', verdict: 'fine' }
    : { code: 'headers-missing', verdict: 'problem' }
}

/** @returns the configuration of a page on Firebase, or why there is none. */
async function readConfig(url: URL) {
  const none = (why: NoConfiguration) => ({ why })
  const response = await get(url)
  if (!response?.ok) return none(response?.status ?? 'silent')
  const config = (await response.json().catch(() => undefined)) as BackendConfig | undefined
  if (config?.mode === 'embedded') return none('own-server')
  const isWhole =
    config?.mode === 'firebase' && config.firebase?.projectId && config.firebase.apiKey
  return isWhole ? config : none('none')
}

/** Everything but a refusal is a fault, even a missing record. */
function refused(call: ForbiddenCode, answer: Answer, about?: string): SiteFound {
  return answer.status === 403
    ? { code: 'forbidden', verdict: 'fine', call, about }
    : { code: 'forbidden', verdict: 'problem', call, about, answer }
}

async function get(url: URL): Promise<Response | undefined> {
  const headers = { 'user-agent': OUR_AGENT }
  return fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined)
}

async function attempt(ask: () => Promise<Answer>): Promise<Answer> {
  return ask().catch(() => ({ status: 0, problem: 'nothing', reason: '' }))
}
