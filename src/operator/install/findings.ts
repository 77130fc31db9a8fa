import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SiteManifest, site } from '../../site/site.ts'
import { type Rule, remedyFor, rootsAlone, wrongAbove, wrongCode, wrongIn } from './code-rights.ts'
import { type Place, service, unitCanName } from './service-files.ts'
import { readSettings } from './settings-file.mjs'

/** What the unit hides from the service, or shows it empty. */
const HIDDEN = ['/home', '/root', '/run', '/tmp', '/var/tmp']

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
    ...places.filter((path) => !isHidden(path)).flatMap((path) => wrongRights(path) ?? []),
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
 * The code that others than root could change, or that not everybody may read: the service would run
 * what somebody else wrote, or nothing.
 */
function wrongRights(path: string): string | undefined {
  const above = wrongAbove(path, served)
  if (above) return `${above.path} ${above.why}: the code must belong to root alone.`
  const wrong = [...(lstatSync(path).isDirectory() ? wrongCode : wrongIn)(path, served)]
  return wrong.length === 0 ? undefined : remedyFor(wrong)
}

const served: Rule = (stat) => {
  const needed = stat.isDirectory() ? 0o005 : 0o004
  const isRead = (stat.mode & needed) === needed
  return rootsAlone(stat) ?? (isRead ? undefined : 'cannot be read by the service')
}
