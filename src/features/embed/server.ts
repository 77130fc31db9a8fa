import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type SiteFile, siteFile } from '../../server/http/site-file.ts'
import { dataHeaders, staticFileHeaders } from '../../site/security-headers.ts'
import { site } from '../../site/site.ts'
import type { ServerGiven, ServerPart } from '../feature.ts'
import { joinForm } from './join.ts'
import { joinFileOf } from './join-file.ts'

/** Takes our form from the sites that the operator named, and serves the scripts for it. */
export function serverPart({ settings, root, languages }: ServerGiven): ServerPart {
  const origins = settings.EMBED_ORIGINS ?? []
  if (origins.length === 0) return {}
  return {
    files: languages.map(({ path }) => joinScriptFile(root, path)),
    formRoutes: (app, parts) => joinForm(app, parts, origins),
  }
}

/** The script for forms on other sites, which these load with CORS to hold it to its hash. */
function joinScriptFile(root: string, language: string): [string, SiteFile] {
  const identity = readFileSync(join(root, site.joinScript(language)))
  const contents = { identity, br: brotliCompressSync(identity), gzip: gzipSync(identity) }
  const headers = { ...dataHeaders, ...staticFileHeaders, 'access-control-allow-origin': '*' }
  const { path } = joinFileOf(identity)
  return [path, siteFile(path, contents, headers)]
}
