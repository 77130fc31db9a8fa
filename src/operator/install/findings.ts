import { existsSync, lstatSync, readdirSync, readFileSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { type SiteManifest, site } from '../../site/site.ts'
import { type Place, service, unitCanName } from './service-files.ts'
import { readSettings } from './settings-file.mjs'

/** What the unit hides from the service, or shows it empty. */
const HIDDEN = ['/home', '/root', '/run', '/tmp', '/var/tmp']

/** What is in the project's folder and not run by the service: `.cache` is Node's own, of one user. */
const NOT_RUN = /^(\.git|\.cache|\.update|\.start-.*|data)$/

/**
 * What stands in the way of running this folder as a service; each is one line with its remedy.
 *
 * @param options `prefix`: the root of the file system in which the service is installed, without a slash;
 *   `hiddenFolders`: those that the unit hides.
 */
export function findings(place: Place, { prefix = '', hiddenFolders = HIDDEN } = {}): string[] {
  const { root, node } = place
  const publicUrl = builtFor(root)
  const isHidden = (path: string) => hiddenFolders.some((folder) => path.startsWith(`${folder}/`))
  const places = node.startsWith(`${root}/`) ? [root] : [root, node]
  return [
    ...places.filter((path) => !unitCanName(path)).map(unnamed),
    ...places.filter(isHidden).map(hidden),
    ...places.filter((path) => !isHidden(path)).flatMap((path) => wrongCode(path) ?? []),
    ...(publicUrl === undefined ? ['The page is not built: run "npm run build".'] : []),
    ...(settingsIn(prefix)?.problems ?? []),
    ...otherPage(publicUrl, prefix),
    ...listElsewhere(root, prefix),
  ]
}

const unnamed = (path: string) =>
  `${path} has a quotation mark, a backslash or a dollar sign in its name: rename it.`

const hidden = (path: string) =>
  `${path} is where the service cannot see it: move the project to /srv/opening-bell, and have Node in /usr, or none, so that npm's is used.`

/** @returns the PUBLIC_URL of the page that is built, `null` for none, `undefined` without a page. */
export function builtFor(root: string): string | null | undefined {
  const manifest = join(root, site.manifest)
  if (!existsSync(manifest)) return undefined
  return (JSON.parse(readFileSync(manifest, 'utf8')) as SiteManifest).publicUrl
}

/** The settings of an installation; none where there is none. */
export function settingsIn(prefix: string) {
  const file = join(prefix, service.settings)
  try {
    return readSettings(readFileSync(file), service.settings)
  } catch {
    // Only root may read it, and may do the rest.
    return undefined
  }
}

/** `npm start` builds the page again when this setting changes; a service never builds. */
function otherPage(built: string | null | undefined, prefix: string): string[] {
  const settings = settingsIn(prefix)?.settings
  if (built === undefined || !settings) return []
  const url = settings.PUBLIC_URL?.replace(/\/+$/, '') ?? ''
  if (url === (built ?? '')) return []
  return [
    `The page is built for ${built ? `PUBLIC_URL=${built}` : 'no PUBLIC_URL'}, and ${service.settings} has ${url ? url : 'none'}: run "${url ? `PUBLIC_URL=${url} ` : ''}npm run build".`,
  ]
}

/** A list that `npm start` began would seem to be lost. */
function listElsewhere(root: string, prefix: string): string[] {
  const here = join(root, 'data')
  const there = join(prefix, service.dataDir)
  if (!existsSync(join(here, 'subscribers.sqlite')) || existsSync(there)) return []
  return [
    `The list is in ${here}, and the service keeps it in ${service.dataDir}: stop the server that uses it, then run "mv '${here}' ${service.dataDir}".`,
  ]
}

/**
 * The first file of the code that others than root could change, or that not everybody may read:
 * the service would run what somebody else wrote, or nothing.
 */
function wrongCode(path: string): string | undefined {
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    const stat = lstatSync(parent)
    // In a sticky folder, such as /tmp, nobody can replace what is root's.
    const wrong = (stat.mode & 0o1000) === 0 && wrongRights(stat)
    if (wrong) return `${parent} ${wrong}: the code must belong to root alone.`
    if (parent === dirname(parent)) break
  }
  const wrong = firstWrong(path)
  return (
    wrong &&
    `${wrong}: run "chown -R root:root '${path}' && chmod -R u=rwX,go=rX '${path}'" as root.`
  )
}

function firstWrong(path: string): string | undefined {
  const stat = lstatSync(path)
  // What a link leads to is elsewhere, and has a place of its own.
  if (stat.isSymbolicLink()) return undefined
  const wrong = wrongRights(stat)
  if (wrong) return `${path} ${wrong}`
  if (!stat.isDirectory()) return undefined
  for (const name of readdirSync(path)) {
    if (NOT_RUN.test(name)) continue
    const found = firstWrong(join(path, name))
    if (found) return found
  }
  return undefined
}

function wrongRights(stat: Stats): string | undefined {
  if (stat.uid !== 0) return 'does not belong to root'
  if ((stat.mode & 0o022) !== 0) return 'can be changed by others than root'
  const needed = stat.isDirectory() ? 0o005 : 0o004
  return (stat.mode & needed) === needed ? undefined : 'cannot be read by the service'
}
