import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import product from '../../product.config.ts'
import { firestoreRest } from '../emulators/firestore-rest.ts'
import { startHosting } from '../emulators/hosting.ts'
import { buildProject, copyProject } from '../fixtures/project-copy.ts'
import { expect, test } from './fixtures.ts'
import { openPage, signUp, THANK_YOU } from './page.ts'

test('a page that was built for the emulators signs up there, and asks nobody else', async ({
  browser,
  ownFirebase,
}) => {
  const root = mkdtempSync(join(tmpdir(), 'opening-bell-emulated-'))
  copyProject(root, product)
  const { auth = '', firestore = '' } = ownFirebase.emulators()
  const file = join(root, 'firebase.json')
  const settings = JSON.parse(readFileSync(file, 'utf8'))
  settings.emulators.auth.port = Number(new URL(auth).port)
  settings.emulators.firestore.port = Number(new URL(firestore).port)
  writeFileSync(file, JSON.stringify(settings))
  // Whatever is configured for production.
  const env = { FIREBASE_WEBAPP_CONFIG: '{"apiKey":"real","projectId":"our-launch"}' }
  const built = buildProject(root, env, 'build-firebase', '--emulators')
  expect(built).toMatchObject({ status: 0, stderr: '' })
  const folder = join(root, 'dist-firebase')
  const deployment = JSON.parse(readFileSync(join(folder, 'firebase.json'), 'utf8'))
  expect(deployment.emulators).toEqual(settings.emulators)

  const hosting = await startHosting(folder)
  // Without the stand-in for Google that the other tests have.
  const context = await browser.newContext()
  const asked = new Set<string>()
  context.on('request', (request) => asked.add(new URL(request.url()).origin))
  const page = await context.newPage()
  await openPage(page, hosting.url)
  const { status, submit } = signUp(page)
  await submit('local@example.com')
  await expect(status).toHaveText(THANK_YOU)
  expect([...asked].toSorted()).toEqual([auth, firestore, hosting.url].toSorted())
  const rest = firestoreRest(firestore, 'demo-opening-bell')
  expect(await rest.list(`artifacts/${product.appId}/public/data/subscribers`)).toHaveLength(1)

  await rest.clear()
  await context.close()
  await hosting.stop()
  rmSync(root, { recursive: true })
})
