import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { findChromium } from './find-chromium.ts'

const MINUTES = 60_000

/** A way to get a browser: what it is called, and the commands that must all succeed. */
interface Way {
  readonly title: string
  readonly commands: readonly (readonly [string, ...string[]])[]
}

/** The path of a browser that starts, or one sentence or more that says what to do. */
export type Obtained = { readonly path: string } | { readonly error: string }

/**
 * Finds a Chromium, or gets one: from Debian where we may install packages, since that brings the
 * libraries along, else by Playwright's download.
 */
export async function obtainChromium(): Promise<Obtained> {
  let found = await findChromium()
  const tried = 'tried' in found ? [...found.tried] : []
  if (process.env.CHROMIUM_PATH && 'tried' in found)
    return { error: `CHROMIUM_PATH does not start: ${tried.join('; ')}` }

  for (const way of waysToGet(readOsRelease(), process.getuid?.() === 0)) {
    if ('path' in found) return found
    console.log(`\nNo Chromium yet; getting one: ${way.title} …`)
    const failure = follow(way)
    if (failure !== undefined) tried.push(`${way.title}: ${failure}`)
    found = await findChromium()
  }
  return 'path' in found ? found : { error: adviceAfter([...tried, ...found.tried]) }
}

/**
 * @param osRelease text of `/etc/os-release`, empty where there is none.
 * @param isRoot whether packages may be installed.
 */
export function waysToGet(osRelease: string, isRoot: boolean): Way[] {
  const id = /^ID="?(\w+)/m.exec(osRelease)?.[1]
  const aptGet = ['apt-get', '-o=Acquire::Retries=1', '-o=Acquire::http::Timeout=15'] as const
  const debian = (name: string): Way => ({
    title: `apt-get install ${name}`,
    commands: [
      [...aptGet, 'update'],
      [...aptGet, 'install', '-y', '--no-install-recommends', name],
    ],
  })
  const withLibraries = isRoot && id === 'ubuntu' ? ['--with-deps'] : []
  const playwright: Way = {
    title: 'playwright install chromium',
    commands: [['playwright', 'install', '--no-shell', ...withLibraries, 'chromium']],
  }
  // The lightest first, which Debian 11 has not. Ubuntu's "chromium" only asks for a snap.
  return isRoot && id === 'debian'
    ? [debian('chromium-headless-shell'), debian('chromium'), playwright]
    : [playwright]
}

function follow({ commands }: Way): string | undefined {
  for (const [command, ...args] of commands) {
    const { status, error, stdout, stderr } = spawnSync(command, args, {
      encoding: 'utf8',
      timeout: 5 * MINUTES,
      env: {
        ...process.env,
        DEBIAN_FRONTEND: 'noninteractive',
        PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000',
      },
    })
    if (status === 0) continue
    const said = `${stdout ?? ''}${stderr ?? ''}`.trim()
    console.error(said)
    return error?.message ?? lastErrorIn(said) ?? `exit code ${status}`
  }
  return undefined
}

function lastErrorIn(output: string): string | undefined {
  return output.split('\n').findLast((line) => /^(E|Error):/.test(line))
}

function adviceAfter(tried: readonly string[]): string {
  return [
    'The tests need a Chromium, and none could be found or got here.',
    ...tried.map((attempt) => `  ${attempt}`),
    'Install Chromium or Chrome, or set CHROMIUM_PATH to one, then run the tests again.',
  ].join('\n')
}

function readOsRelease(): string {
  try {
    return readFileSync('/etc/os-release', 'utf8')
  } catch {
    return ''
  }
}
