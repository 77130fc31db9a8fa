import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inDataFolder } from '../../shared/data-folder.ts'
import { type SiteManifest, site } from '../../site/site.ts'
import { type Rule, rootsAlone, type Wrong, wrongAbove, wrongCode, wrongIn } from './code-rights.ts'
import { type Place, service, unitCanName } from './service-files.ts'
import { readSettings } from './settings-file.mjs'

/** Folders that the unit hides from the service, or shows as empty. */
const HIDDEN = ['/home', '/root', '/run', '/tmp', '/var/tmp']

/** Why a folder cannot run as a service. A face has the words, and the remedies. */
export type Finding =
  | { readonly code: 'odd-name' | 'hidden'; readonly path: string }
  | { readonly code: 'folder-above'; readonly wrong: Wrong }
  | { readonly code: 'rights'; readonly wrong: readonly Wrong[] }
  | { readonly code: 'not-built' }
  /** A line of the settings, in the words that the start of the service has for it as well. */
  | { readonly code: 'setting'; readonly problem: string }
  | { readonly code: 'other-page'; readonly built: string | null; readonly set: string }
  | { readonly code: 'list-elsewhere'; readonly folder: string }

/**
 * Finds out why this folder cannot run as a service.
 *
 * @param options `prefix`: the root of the file system in which the service is installed, without a slash;
 *   `hiddenFolders`: those that the unit hides.
 */
export function findings(place: Place, { prefix = '', hiddenFolders = HIDDEN } = {}): Finding[] {
  const { root, node } = place
  const publicUrl = builtFor(root)
  const isHidden = (path: string) => hiddenFolders.some((folder) => path.startsWith(`${folder}/`))
  const places = node.startsWith(`${root}/`) ? [root] : [root, node]
  return [
    ...places
      .filter((path) => !unitCanName(path))
      .map((path) => ({ code: 'odd-name', path }) as const),
    ...places.filter(isHidden).map((path) => ({ code: 'hidden', path }) as const),
    ...places.filter((path) => !isHidden(path)).flatMap(wrongRights),
    ...(publicUrl === undefined ? [{ code: 'not-built' } as const] : []),
    ...(settingsIn(prefix)?.problems ?? []).map(
      (problem) => ({ code: 'setting', problem }) as const,
    ),
    ...otherPage(publicUrl, prefix),
    ...listElsewhere(root, prefix),
  ]
}

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
function otherPage(built: string | null | undefined, prefix: string): Finding[] {
  const settings = settingsIn(prefix)?.settings
  if (built === undefined || !settings) return []
  const set = settings.PUBLIC_URL?.replace(/\/+$/, '') ?? ''
  return set === (built ?? '') ? [] : [{ code: 'other-page', built, set }]
}

/** A list that `npm start` began would seem lost. */
function listElsewhere(root: string, prefix: string): Finding[] {
  const folder = join(root, 'data')
  const there = join(prefix, service.dataDir)
  if (!existsSync(join(folder, inDataFolder.list)) || existsSync(there)) return []
  return [{ code: 'list-elsewhere', folder }]
}

/**
 * Code that other users than root could change, or that the service may not read: it would run
 * foreign code, or none.
 */
function wrongRights(path: string): Finding[] {
  const above = wrongAbove(path, served)
  if (above) return [{ code: 'folder-above', wrong: above }]
  const wrong = [...(lstatSync(path).isDirectory() ? wrongCode : wrongIn)(path, served)]
  return wrong.length === 0 ? [] : [{ code: 'rights', wrong }]
}

const served: Rule = (stat) => {
  const needed = stat.isDirectory() ? 0o005 : 0o004
  const isRead = (stat.mode & needed) === needed
  return rootsAlone(stat) ?? (isRead ? undefined : 'unreadable')
}
