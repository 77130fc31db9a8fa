import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

/** Switches off a browser's own requests, so that all traffic in tests is the page's. */
export const CHROMIUM_ARGS: readonly string[] = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
]

/** The headless shell first: the same engine without the windows, for half of the processor's time. */
const COMMANDS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
const MAC_APPS = ['Chromium', 'Google Chrome']

/** A browser that starts, or every one that was tried and why it does not. */
export type Found = { readonly path: string } | { readonly tried: readonly string[] }

/**
 * Looks for a Chromium: `CHROMIUM_PATH`, which is final where it is set, then the PATH, macOS
 * applications and Playwright's own. Each is really started, since a file of that name may be a
 * stub (Ubuntu's asks for a snap) or lack a library.
 */
export async function findChromium(env: NodeJS.ProcessEnv = process.env): Promise<Found> {
  const tried: string[] = []
  for (const path of candidates(env)) {
    const failure = await failureToStart(path)
    if (failure === undefined) return { path }
    tried.push(`${path}: ${failure}`)
  }
  return { tried }
}

/** The paths worth a try, best first. */
export function candidates(env: NodeJS.ProcessEnv): string[] {
  if (env.CHROMIUM_PATH) return [env.CHROMIUM_PATH]
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return [
    ...COMMANDS.flatMap((command) => folders.map((folder) => join(folder, command))),
    ...MAC_APPS.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`),
    chromium.executablePath(),
  ].filter((path) => existsSync(path))
}

async function failureToStart(path: string): Promise<string | undefined> {
  try {
    const browser = await chromium.launch({
      executablePath: path,
      args: [...CHROMIUM_ARGS],
      timeout: 30_000,
    })
    await browser.close()
    return undefined
  } catch (error) {
    return reasonIn(String(error))
  }
}

/** The line that tells most in what Playwright says about a browser that did not start. */
function reasonIn(message: string): string {
  const lines = message.split('\n').map((line) => line.trim())
  const telling = lines.find((line) =>
    /error while loading|No such file|snap|ENOENT|EACCES/.test(line),
  )
  return telling ?? lines[0] ?? 'it does not start'
}
