import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Emulators } from '../emulators/google-hosts.ts'
import { startHosting } from '../emulators/hosting.ts'
import { buildProject } from '../fixtures/project-copy.ts'
import { expect } from './fixtures.ts'

/** The project that a page for emulators belongs to. */
export const EMULATED = 'demo-opening-bell'

/** Builds a project's page for emulators that run, and serves it as Firebase Hosting does. */
export async function startEmulatedPage(root: string, { auth = '', firestore = '' }: Emulators) {
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
  return { ...(await startHosting(folder)), rules: join(folder, 'firestore.rules') }
}
