/** @module-tag thorough */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import product from '../../product.config.ts'
import { firestoreRules } from '../../scripts/firestore-rules.ts'
import * as checks from '../../src/checks/site.ts'
import { siteNote } from '../../src/cli/words/probed.ts'
import { parseEmail } from '../../src/shared/email.ts'
import { isProbeAddress } from '../../src/shared/probe-address.ts'
import { confirmationRequestsPath, subscribersPath } from '../../src/shared/subscriber.ts'
import { installAuthEmulator } from '../emulators/auth-emulator.ts'
import { firestoreRest } from '../emulators/firestore-rest.ts'
import { google } from '../emulators/google-in-node.ts'
import { startHosting } from '../emulators/hosting.ts'
import { withAuthEmulator, withFirestoreEmulator } from '../emulators/with-emulators.ts'
import { noteSaid } from '../fixtures/finding-said.ts'
import { buildProject, copyProject } from '../fixtures/project-copy.ts'
import { undocumented } from '../fixtures/report-fields.ts'

const appId = 'our-launch'
const projectId = 'demo-launch'
const web = { apiKey: 'a-key', projectId }
const rules = firestoreRules(appId)

/** What was found, in the words of the tool. */
async function checkSite(...asked: Parameters<typeof checks.checkSite>) {
  const notes = (await checks.checkSite(...asked)).map(siteNote)
  expect(undocumented('check-site', { title: '', parts: [{ part: 'notes', notes }] })).toEqual([])
  return notes.map(noteSaid)
}

const firestore = withFirestoreEmulator()
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
    await rest().clear()
    await rest().setRules(rules)
  })

  async function deployed(folder = join(root, 'dist-firebase')) {
    await installAuthEmulator()
    const { url, stop } = await startHosting(folder)
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
    expect([...new Set(findings.map(({ what }) => what))]).toEqual([
      ...['Page', 'Headers', 'Shows', 'Configuration', 'Without sign-in', 'Sign-in', 'Sign-up'],
      ...['One record', 'The list'],
    ])
  })

  it('leaves one record, of an address that the page would take and nobody counts, and no user', async () => {
    const users = async () => (await auth().users()).length
    const before = await users()
    await checkSite(await deployed(), appId)
    expect(await users()).toBe(before)
    const emails = (await records()).map(({ fields }) => String(fields.email?.stringValue))
    expect(emails).toHaveLength(1)
    expect(emails.every((email) => parseEmail(email) === email && isProbeAddress(email))).toBe(true)
  })

  describe('of a page that asks for confirmation', () => {
    const withConfirmation = firestoreRules(appId, { confirm: true })
    let asking: string
    beforeAll(() => {
      asking = mkdtempSync(join(tmpdir(), 'opening-bell-check-'))
      cpSync(join(root, 'dist-firebase'), asking, { recursive: true })
      const file = join(asking, 'public/config.json')
      const config = JSON.parse(readFileSync(file, 'utf8'))
      writeFileSync(file, JSON.stringify({ ...config, confirm: true }))
      return () => rmSync(asking, { recursive: true })
    })
    const deployedAsking = () => deployed(asking)

    it('finds nothing wrong, and leaves its record where it is counted by nobody', async () => {
      await rest().setRules(withConfirmation)
      const findings = await checkSite(await deployedAsking(), appId, true)
      expect(findings.filter(({ verdict }) => verdict !== 'fine')).toEqual([])
      expect(findings.map(({ what, detail }) => `${what}: ${detail}`)).toEqual(
        expect.arrayContaining([
          'Confirmation: sign-ups wait outside the list until they confirm',
          'The list: adding without confirmation is refused',
          'Who has not confirmed: reading is refused',
        ]),
      )
      expect(await records()).toEqual([])
      expect(await rest().list(confirmationRequestsPath(appId).slice(1))).toHaveLength(1)
    })

    it('sees that rules let a visitor write on the list as well, or read who waits', async () => {
      const [, block = ''] = /documents \{\n([\s\S]*)\n {2}\}\n\}/.exec(rules) ?? []
      await rest().setRules(withConfirmation.replace(/(match \/databases.*\{)/, `$1\n${block}`))
      expect(await problems(await deployedAsking())).toEqual([
        'The list: adding without confirmation IS ALLOWED: deploy the rules',
      ])
      await rest().setRules(
        withConfirmation.replace('allow create', 'allow list: if true; allow create'),
      )
      expect(await problems(await deployedAsking())).toEqual([
        'Who has not confirmed: reading IS ALLOWED: deploy the rules',
      ])
    })
  })

  const everywhere = (allowed: string) =>
    rules.replace(
      /(match \/databases.*\{)/,
      `$1 match /{document=**} { allow ${allowed}: if request.auth != null; }`,
    )

  it('sees that rules allow to read and to delete', async () => {
    await rest().setRules(everywhere('get, list, delete'))
    expect(await problems(await deployed())).toEqual(
      ['One record: reading', 'The list: reading', 'One record: deleting'].map(
        (what) => `${what} IS ALLOWED: deploy the rules`,
      ),
    )
  })

  it('sees that anybody may add without signing in', async () => {
    const open = 'match /{document=**} { allow create: if true; }'
    await rest().setRules(rules.replace(/(match \/databases.*\{)/, `$1 ${open}`))
    const [problem] = await problems(await deployed())
    expect(problem).toBe('Without sign-in: adding IS ALLOWED: deploy the rules')
  })
})
