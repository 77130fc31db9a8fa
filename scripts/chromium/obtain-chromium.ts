import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { findChromium } from './find-chromium.ts'

/** The path of a browser that starts, or one sentence or more that says what to do. */
export type Obtained = { readonly path: string } | { readonly error: string }

/**
 * Finds a Chromium, or gets one: from Debian where we may install packages, since that brings the
 * libraries along, else by Playwright's download.
 */
export async function obtainChromium(): Promise<Obtained> {
  let found = await findChromium()
  if (process.env.CHROMIUM_PATH && 'tried' in found)
    return { error: `CHROMIUM_PATH does not start: ${found.tried.join('; ')}` }

  const osRelease = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  const failed: string[] = []
  for (const command of waysToGet(osRelease, process.getuid?.() === 0)) {
    if ('path' in found) return found
    console.log(`\nNo Chromium yet; getting one: ${command} …`)
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const options = { shell: true, stdio: 'inherit', timeout: 300_000, env } as const
    const { status, error } = spawnSync(command, options)
    if (status !== 0) failed.push(`${command}: ${error?.message ?? `exit code ${status}`}`)
    found = await findChromium()
  }
  if ('path' in found) return found
  const lines = [
    'The tests need a Chromium, and none could be found or got here.',
    ...[...found.tried, ...failed].map((attempt) => `  ${attempt}`),
    'Install Chromium or Chrome, or set CHROMIUM_PATH to one, then run the tests again.',
  ]
  return { error: lines.join('\n') }
}

/**
 * The ways to get one, each a line of the shell.
 *
 * @param osRelease text of `/etc/os-release`, empty where there is none.
 * @param isRoot whether packages may be installed.
 */
export function waysToGet(osRelease: string, isRoot: boolean): string[] {
  const id = /^ID="?(\w+)/m.exec(osRelease)?.[1]
  const aptGet = 'apt-get -o=Acquire::Retries=1 -o=Acquire::http::Timeout=15'
  const debian = (name: string) =>
    `${aptGet} update && ${aptGet} install -y --no-install-recommends ${name}`
  const withLibraries = isRoot && id === 'ubuntu' ? ' --with-deps' : ''
  const playwright = `playwright install --no-shell${withLibraries} chromium`
  // The lightest first, which Debian 11 has not. Ubuntu's "chromium" only asks for a snap.
  return isRoot && id === 'debian'
    ? [debian('chromium-headless-shell'), debian('chromium'), playwright]
    : [playwright]
}
