import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { firefox, webkit } from '@playwright/test'
import { startFirefox } from './firefox.ts'
import { playwrightTab } from './playwright-tab.ts'
import type { Tab, TabSettings } from './tab.ts'
import { startWebKit } from './webkit.ts'

export type EngineName = 'firefox' | 'webkit'

/** How to start a browser of this engine, or what is missing and how to get it. */
export type Engine =
  | { readonly start: (settings: TabSettings) => Promise<Tab> }
  | { readonly missing: string }

/** Looks for the browser that the system has, then for the one that Playwright has downloaded. */
export function findEngine(name: EngineName): Engine {
  return name === 'firefox' ? findFirefox() : findWebKit()
}

function findFirefox(): Engine {
  const app = '/Applications/Firefox.app/Contents/MacOS/firefox'
  const path = [...onPath('firefox-esr'), ...onPath('firefox'), app].find(
    (path) => existsSync(path) && !isSnap(path),
  )
  if (path) return { start: (settings) => startFirefox(path, settings) }
  if (existsSync(firefox.executablePath()))
    return { start: (settings) => playwrightTab(firefox, settings) }
  return {
    missing:
      'needs Firefox: install firefox-esr (Debian) or Firefox, no snap, ' +
      'or run "npx playwright install firefox"',
  }
}

function findWebKit(): Engine {
  const [driver] = onPath('WebKitWebDriver')
  const [browser] = globSync('/usr/lib{,64,exec}/{,*/}webkit2gtk-4.*/MiniBrowser')
  if (driver && browser && onPath('Xvfb').length > 0)
    return { start: (settings) => startWebKit({ driver, browser }, settings) }
  if (existsSync(webkit.executablePath()))
    return { start: (settings) => playwrightTab(webkit, settings) }
  return {
    missing:
      'needs WebKit: install webkit2gtk-driver and xvfb (Debian), ' +
      'or run "npx playwright install webkit"',
  }
}

function onPath(command: string): string[] {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, command))
    .filter((path) => existsSync(path))
}

/** A snap sees no profile of ours; Ubuntu's command of that name is a script that starts or asks for one. */
function isSnap(path: string): boolean {
  return /\bsnap\b/.test(realpathSync(path) + readFileSync(path, 'latin1').slice(0, 4096))
}
