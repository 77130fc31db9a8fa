import { createHash } from 'node:crypto'
import { type BackendConfig, OWN_SERVER, paths } from '../shared/api.ts'
import { plainLine } from '../shared/plain-line.ts'
import { probeAddress } from '../shared/probe-address.ts'
import { objectIn } from '../shared/stored-json.ts'
import { ask } from './ask.ts'
import { found } from './check.ts'
import { pageIn } from './elements.ts'
import {
  type FirebaseProject,
  type ForbiddenCode,
  firebaseStranger,
  type GoogleAnswer,
} from './firebase.ts'

/** What is found of a deployed page, as a code and its data. A face has the words. */
export type SiteFinding = ReturnType<typeof look> extends AsyncIterable<infer One> ? One : never

/**
 * Checks a page on Firebase: a visitor can add a record, and can neither read nor delete one. It
 * deletes its anonymous user at the end. Its records stay, with addresses that no store counts.
 *
 * @param site URL of the page. @param appId of the product that should be there.
 * @param confirm whether the page should ask for confirmation.
 * @returns the findings, up to the first fatal one.
 */
export async function checkSite(site: URL, appId: string, confirm = false): Promise<SiteFinding[]> {
  const findings: SiteFinding[] = []
  for await (const finding of look(site, appId, confirm)) {
    findings.push(finding)
    if (finding.verdict === 'fatal') break
  }
  return findings
}

async function* look({ href }: URL, appId: string, shouldConfirm: boolean) {
  const page = await ask(href)
  if (page.status !== 200) {
    yield found('away', 'fatal', { site: href, status: page.status || undefined })
    return
  }
  yield found('served', 'fine', { site: href })
  const { text: html, headers } = page
  yield headersFound(headers.get('content-security-policy') ?? '', html)
  const shown = pageIn(html)
  // `headersFound` reports any other page.
  if (shown.page !== 'other') {
    const leadsTo = shown.page === 'open' ? plainLine(shown.url) : undefined
    yield found('shows', 'fine', { leadsTo })
  }

  const url = new URL(paths.config, href)
  const config = await readConfig(url)
  if (!('firebase' in config)) {
    yield found('no-configuration', 'fatal', { url: url.href, why: config.why })
    return
  }
  const { confirm } = config
  const { apiKey = '', projectId = '' } = config.firebase
  if (config.appId === appId) yield found('configuration', 'fine', { appId, projectId })
  else yield found('other-app', 'fatal', { there: config.appId, wanted: appId })
  if (confirm) yield found('asks', 'fine')
  else if (shouldConfirm) yield found('asks-nobody', 'problem')
  yield* tryFirestore({ apiKey, projectId, appId, referer: href, confirm })
}

async function* tryFirestore(project: FirebaseProject) {
  const email = probeAddress()
  const stranger = firebaseStranger(project, email)
  const site = project.referer
  yield refused('add-unsigned', await stranger.signUp())
  const signedIn = await stranger.signIn()
  if (signedIn.problem === '') yield found('signed-in', 'fine')
  else yield found('turned-away', 'fatal', { step: 'sign-in', site, answer: signedIn })
  try {
    const added = await stranger.signUp()
    if (added.problem === '') yield found('signed-up', 'fine', { email })
    else yield found('turned-away', 'fatal', { step: 'sign-up', site, answer: added })
    for await (const [call, answer] of stranger.attack()) yield refused(call, answer)
  } finally {
    await stranger.signOff()
  }
}

/** Whether the host sends the content security policy of this very build. */
function headersFound(policy: string, html: string) {
  const [, script] = /<script id="gate">(.*?)<\/script>/s.exec(html) ?? []
  if (script === undefined) return found('other-page', 'problem')
  const hash = createHash('sha256').update(script).digest('base64')
  return policy.includes("default-src 'none'") && policy.includes(hash)
    ? found('headers', 'fine')
    : found('headers-missing', 'problem')
}

/** @returns the configuration of a page on Firebase, or why there is none: a status, or a word. */
async function readConfig(url: URL) {
  const none = (why: 'silent' | 'own-server' | 'none' | number) => ({ why })
  const { status, text } = await ask(url)
  if (status !== 200) return none(status || 'silent')
  const config = objectIn(text) as BackendConfig | undefined
  if (config?.mode === OWN_SERVER) return none('own-server')
  const isWhole =
    config?.mode === 'firebase' && config.firebase?.projectId && config.firebase.apiKey
  return isWhole ? config : none('none')
}

/** Everything but a refusal is a fault, even a missing record. */
function refused(call: ForbiddenCode | 'add-unsigned', answer: GoogleAnswer) {
  const isRefused = answer.status === 403
  const data = { call, answer: isRefused ? undefined : answer }
  return found('forbidden', isRefused ? 'fine' : 'problem', data)
}
