import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import product from '../../product.config.ts'
import { hosting } from '../../scripts/build/hosting.ts'
import { firestoreRules } from '../../scripts/firestore-rules.ts'
import { checkSite } from '../../src/operator/site-check.ts'
import { isCheckAddress } from '../../src/shared/check-address.ts'
import { parseEmail } from '../../src/shared/email.ts'
import { subscribersPath } from '../../src/shared/subscriber.ts'
import { openApp } from '../app-fixture.ts'
import { installAuthEmulator } from '../emulators/auth-emulator.ts'
import { firestoreRest } from '../emulators/firestore-rest.ts'
import { google } from '../emulators/google-in-node.ts'
import { startHosting } from '../emulators/hosting.ts'
import { withAuthEmulator, withFirestoreEmulator } from '../emulators/with-emulators.ts'
import { buildProject, copyProject } from '../project-copy.ts'

const appId = 'our-launch'
const projectId = 'demo-launch'
const web = { apiKey: 'a-key', projectId }
const rules = firestoreRules(appId)
const NO_POLICY =
  'Headers: the content security policy of this build is missing: see firebase.json beside it'

const firestore = withFirestoreEmulator(rules)
const auth = withAuthEmulator(projectId)
const rest = () => firestoreRest(firestore().origin, projectId)
const records = () => rest().list(subscribersPath(appId).slice(1))

describe('the check of a deployed site', { timeout: 120_000 }, () => {
  let root: string
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'opening-bell-check-'))
    copyProject(root, { ...product, appId })
    writeFileSync(join(root, 'firebase.config.json'), JSON.stringify(web))
    const built = buildProject(root, { FIREBASE_WEBAPP_CONFIG: '' }, 'build-firebase')
    expect(built).toMatchObject({ status: 0 })
    return () => rmSync(root, { recursive: true })
  })
  beforeEach(async () => {
    google.emulators = { auth: auth().origin, firestore: firestore().origin }
    google.answer = () => undefined
    await rest().clear()
    await rest().setRules(rules)
  })

  async function deployed(settings?: object) {
    await installAuthEmulator()
    const { url, stop } = await startHosting(join(root, 'dist-firebase'), settings)
    onTestFinished(stop)
    return new URL(url)
  }

  const problems = async (site: URL, expected = appId) =>
    (await checkSite(site, expected))
      .filter(({ verdict }) => verdict !== 'fine')
      .map(({ what, detail }) => `${what}: ${detail}`)

  it('finds nothing wrong with what was built and deployed, and says what it tried', async () => {
    const findings = await checkSite(await deployed(), appId)
    expect(findings.map(({ verdict }) => verdict)).toEqual(findings.map(() => 'fine'))
    expect(findings.map(({ what }) => what)).toEqual([
      ...['Page', 'Headers', 'Configuration', 'Without sign-in', 'Sign-in', 'Sign-up'],
      ...['One record', 'The list', 'One record', 'One record'],
    ])
  })

  it('leaves one record, of an address that the page would take and nobody counts', async () => {
    await checkSite(await deployed(), appId)
    const emails = (await records()).map(({ fields }) => String(fields.email?.stringValue))
    expect(emails).toHaveLength(1)
    expect(emails.every((email) => parseEmail(email) === email && isCheckAddress(email))).toBe(true)
  })

  it.each([
    ['read', 'One record: reading'],
    ['list', 'The list: reading'],
    ['update', 'One record: changing'],
    ['delete', 'One record: deleting'],
  ])('sees that rules allow to %s', async (allowed, problem) => {
    const open = `match /{document=**} { allow ${allowed === 'read' ? 'get' : allowed}: if true; }`
    await rest().setRules(rules.replace(/(match \/databases.*\{)/, `$1 ${open}`))
    expect(await problems(await deployed())).toEqual([`${problem} IS ALLOWED: deploy the rules`])
  })

  it('sees that anybody may add without signing in', async () => {
    const open = 'match /{document=**} { allow create: if true; }'
    await rest().setRules(rules.replace(/(match \/databases.*\{)/, `$1 ${open}`))
    const [problem] = await problems(await deployed())
    expect(problem).toBe('Without sign-in: adding IS ALLOWED: deploy the rules')
  })

  it('says which step was left out', async () => {
    const site = await deployed()
    await rest().setRules(firestoreRules('another'))
    expect(await problems(site)).toEqual([
      'Sign-up: Google answered PERMISSION_DENIED: deploy the rules that stand beside the page',
    ])
    google.answer = ({ host }) =>
      host.startsWith('identitytoolkit')
        ? Response.json({ error: { code: 400, message: 'ADMIN_ONLY_OPERATION' } }, { status: 400 })
        : undefined
    expect(await problems(site)).toEqual([
      'Sign-in: Google answered ADMIN_ONLY_OPERATION: enable Anonymous under Authentication, Sign-in method',
    ])
    expect(await problems(site, 'another')).toEqual([
      `Configuration: is that of ${appId}; product.config.ts says another`,
    ])
  })

  it('sees that the headers were forgotten, or are those of another build', async () => {
    const others = hosting(['index.html'], { scriptHashes: ["'sha256-a'"], styleHashes: [] })
    for (const { headers } of [{ headers: [] }, others])
      expect(await problems(await deployed({ headers }))).toEqual([NO_POLICY])
  })

  it('says what it did not find where no page on Firebase is', async () => {
    expect(await problems(new URL('http://127.0.0.1:1'))).toEqual([
      'Page: http://127.0.0.1:1/ does not answer',
    ])
    const { app } = await openApp()
    const ours = await app.listen({ port: 0, host: '127.0.0.1' })
    expect(await problems(new URL(ours))).toEqual([
      'Headers: the page is not one that this build made',
      `Configuration: ${ours}/config.json names our own server: this checks Firebase`,
    ])
  })
})
