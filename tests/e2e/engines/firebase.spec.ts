import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { languagesOf, type OfferedLanguage } from '../../../src/product/languages.ts'
import { subscribersPath } from '../../../src/shared/subscriber.ts'
import {
  type AuthEmulator,
  installAuthEmulator,
  startAuthEmulator,
} from '../../emulators/auth-emulator.ts'
import { findFirestoreEmulator } from '../../emulators/find-firestore-emulator.ts'
import {
  type FirestoreEmulator,
  startFirestoreEmulator,
} from '../../emulators/firestore-emulator.ts'
import { firestoreRest } from '../../emulators/firestore-rest.ts'
import { brands, copyBrand } from '../../fixtures/brands.ts'
import { EMULATED, startEmulatedPage } from '../emulated-page.ts'
import { leftToTorture } from '../long.ts'
import { expect, expectToSee, test } from './fixtures.ts'
import type { Tab } from './tab.ts'

leftToTorture()

const found = findFirestoreEmulator()
const missing = 'missing' in found ? found.missing : ''
test.skip(missing !== '' && process.env.REQUIRE_FIRESTORE_EMULATOR !== '1', missing)

// Both brands have the same emulators.
test.describe.configure({ mode: 'serial' })

const NOTHING_YET =
  'service cloud.firestore { match /{document=**} { allow read, write: if false; } }'

let auth: AuthEmulator
let firestore: FirestoreEmulator
let tab: Tab | undefined

test.beforeAll(async () => {
  if ('missing' in found) throw new Error(found.missing)
  await installAuthEmulator()
  auth = await startAuthEmulator(EMULATED)
  firestore = await startFirestoreEmulator(found.jar, NOTHING_YET)
})
test.afterEach(() => tab?.close())
test.afterAll(async () => {
  await auth?.stop()
  await firestore?.stop()
})

for (const [name, code] of [
  ['kestrel', 'en'],
  ['librairie', 'ar'],
] as const)
  test(`the page of ${name} for Firebase takes an address in ${code}`, async ({ openTab }) => {
    const root = mkdtempSync(join(tmpdir(), 'opening-bell-emulated-'))
    copyBrand(root, name)
    const emulators = { auth: auth.origin, firestore: firestore.origin }
    const hosting = await startEmulatedPage(root, emulators)
    const rest = firestoreRest(firestore.origin, EMULATED)
    await rest.setRules(readFileSync(hosting.rules, 'utf8'))
    const { path, words } = languagesOf(brands[name]).find(
      (one) => one.code === code,
    ) as OfferedLanguage

    tab = await openTab()
    await tab.open(`${hosting.url}${path}/`)
    await expectToSee(tab, {
      splash: { isThere: false },
      isInert: false,
      heading: words.heading,
      state: 'idle',
    })
    await tab.press('Tab')
    await expectToSee(tab, { focus: 'INPUT' })
    await tab.type(`${name}@example.com`)
    await tab.press('Enter')
    await expectToSee(tab, { state: 'success', message: words.subscribed })
    expect(tab.complaints()).toEqual([])
    const kept = await rest.list(subscribersPath(brands[name].appId).slice(1))
    expect(kept.map(({ fields }) => fields.email)).toEqual([{ stringValue: `${name}@example.com` }])

    await hosting.stop()
    rmSync(root, { recursive: true })
  })
