import type { BrowserContext } from '@playwright/test'
import { atEmulator, type Emulators } from '../emulators/google-hosts.ts'

export const GOOGLE = /^https:\/\/[^/]+\.googleapis\.com\//

/** Lets emulators answer whatever a browser asks of Google; who is away refuses the connection. */
export async function playGoogle(context: BrowserContext, emulators: () => Emulators) {
  await context.route(GOOGLE, async (route) => {
    const url = atEmulator(new URL(route.request().url()), emulators())
    try {
      if (!url) return await route.abort('namenotresolved')
      await route.fulfill({ response: await route.fetch({ url, timeout: 0 }) })
    } catch {
      // The page may be gone by now as well.
      await route.abort('connectionrefused').catch(() => {})
    }
  })
}
