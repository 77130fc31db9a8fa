import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import product from '../../product.config.ts'
import { firestoreRest } from '../emulators/firestore-rest.ts'
import { copyProject } from '../fixtures/project-copy.ts'
import { EMULATED, startEmulatedPage } from './emulated-page.ts'
import { expect, test } from './fixtures.ts'
import { openPage, signUp, THANK_YOU } from './page.ts'

test('a page that was built for the emulators signs up there, and asks nobody else', async ({
  browser,
  ownFirebase,
}) => {
  const root = mkdtempSync(join(tmpdir(), 'opening-bell-emulated-'))
  copyProject(root, product)
  const { auth = '', firestore = '' } = ownFirebase.emulators()
  const hosting = await startEmulatedPage(root, ownFirebase.emulators())
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
  const rest = firestoreRest(firestore, EMULATED)
  expect(await rest.list(`artifacts/${product.appId}/public/data/subscribers`)).toHaveLength(1)

  await rest.clear()
  await context.close()
  await hosting.stop()
  rmSync(root, { recursive: true })
})
