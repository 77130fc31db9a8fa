import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import product from '../../product.config.ts'
import { installAuthEmulator } from '../emulators/auth-emulator.ts'
import { findFirestoreEmulator } from '../emulators/find-firestore-emulator.ts'
import { buildProject, copyProject } from '../fixtures/project-copy.ts'

const CONFIG = { apiKey: 'not-a-secret', projectId: 'demo-launch' }

/** Builds the page for Firebase, once for all workers, and leaves word of it in the environment. */
export default async function setUp() {
  if (process.argv.some((one) => /^--project=(?!firebase)/.test(one))) return
  const found = findFirestoreEmulator()
  if ('missing' in found) {
    if (process.env.REQUIRE_FIRESTORE_EMULATOR === '1') throw new Error(found.missing)
    process.env.FIREBASE_MISSING = found.missing
    return
  }
  await installAuthEmulator()
  const root = mkdtempSync(join(tmpdir(), 'opening-bell-firebase-'))
  copyProject(root, product)
  const env = { FIREBASE_WEBAPP_CONFIG: JSON.stringify(CONFIG) }
  const { status, stderr } = buildProject(root, env, 'build-firebase')
  if (status !== 0) throw new Error(`The page could not be built for Firebase:\n${stderr}`)
  process.env.FIREBASE_SITE = join(root, 'dist-firebase')
  process.env.FIRESTORE_EMULATOR_JAR = found.jar
  return () => rmSync(root, { recursive: true })
}
