import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { candidates } from '../../scripts/chromium/find-chromium.ts'
import { expect, test } from './fixtures.ts'
import { playGoogle } from './google.ts'
import { openConnectedPage, openPage, postsTo, SIGN_IN, signUp, THANK_YOU } from './page.ts'

/** Whether the library has kept its user by now: it does so after the answer to its sign-in. */
function isUserKept(): Promise<boolean> {
  const STORE = 'firebaseLocalStorage'
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('firebaseLocalStorageDb')
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const keys = opening.result.transaction(STORE).objectStore(STORE).getAllKeys()
      keys.onerror = () => reject(keys.error)
      keys.onsuccess = () => {
        opening.result.close()
        resolve(keys.result.some((key) => String(key).startsWith('firebase:authUser')))
      }
    }
  })
}

test.describe('on Firebase', () => {
  test('a visitor who comes back is the same user', async ({ page, ownFirebase }) => {
    const signIns = postsTo(page, SIGN_IN)
    await openConnectedPage(page, ownFirebase.url)
    const [user] = await ownFirebase.auth.users()
    await expect.poll(() => page.evaluate(isUserKept)).toBe(true)
    await openConnectedPage(page, ownFirebase.url)
    const { status, submit } = signUp(page)
    await submit('again@example.com')
    await expect(status).toHaveText(THANK_YOU)
    expect(signIns).toHaveLength(1)
    expect((await ownFirebase.auth.users()).map(({ localId }) => localId)).toEqual([user?.localId])
  })

  test('a visitor whose browser keeps nothing signs up all the same', async ({
    playwright,
    launchOptions,
    ownFirebase,
  }) => {
    // The headless shell has no such settings.
    const executablePath = [
      process.env.CHROMIUM_PATH ?? '',
      ...candidates({ PATH: process.env.PATH }),
    ].find((path) => !path.endsWith('-shell'))
    if (!executablePath)
      return test.skip(true, 'needs a Chromium that has settings: no headless shell')
    const profile = mkdtempSync(join(tmpdir(), 'opening-bell-profile-'))
    mkdirSync(join(profile, 'Default'))
    // The browser's own setting "Don't allow sites to save data".
    writeFileSync(
      join(profile, 'Default/Preferences'),
      JSON.stringify({ profile: { default_content_setting_values: { cookies: 2 } } }),
    )
    const context = await playwright.chromium.launchPersistentContext(profile, {
      ...launchOptions,
      executablePath,
    })
    await playGoogle(context, ownFirebase.emulators)
    const page = await context.newPage()
    await openPage(page, ownFirebase.url)
    const opened = await page.evaluate(
      () =>
        new Promise((resolve) => {
          const request = indexedDB.open('test')
          request.onsuccess = () => resolve('opened')
          request.onerror = () => resolve('refused')
        }),
    )
    expect(opened).toBe('refused')

    const { status, submit } = signUp(page)
    await submit('private@example.com')
    await expect(status).toHaveText(THANK_YOU)
    expect(await ownFirebase.subscribers()).toEqual(['private@example.com'])
    await context.close()
    rmSync(profile, { recursive: true })
  })
})
