import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { securityHeaders } from '../../site/security-headers.ts'
import { type PageKind, type SiteManifest, site } from '../../site/site.ts'

/** A language in which the page was built. */
export interface BuiltLanguage {
  /** As BCP 47 has it. */
  readonly code: string
  /** What stands before its paths, such as `/de`; empty where there is one language. */
  readonly path: string
  /** The security headers of its pages of a kind, whose style no other kind has. */
  readonly headers: Readonly<Record<PageKind, Readonly<Record<string, string>>>>
}

export type BuiltLanguages = readonly [BuiltLanguage, ...BuiltLanguage[]]

/** @param root the folder that the build's folder is in. */
export function readManifest(root: string): SiteManifest {
  return JSON.parse(readFileSync(join(root, site.manifest), 'utf8'))
}

/** The languages of this build; the first is that of paths without a language. */
export function readLanguages(root: string): BuiltLanguages {
  const { scriptHashes, languages } = readManifest(root)
  return languages.map(({ code, path, styleHashes }): BuiltLanguage => {
    const headers = (kind: PageKind) => {
      const inline = { scriptHashes, styleHashes: [styleHashes[kind]] }
      return securityHeaders({ inline, formPosts: true })
    }
    const each = { first: headers('first'), confirm: headers('confirm'), plain: headers('plain') }
    return { code, path, headers: each }
  }) as [BuiltLanguage, ...BuiltLanguage[]]
}

/**
 * Each path that visitors have, with its language. Without one it is the first.
 */
export function languagePaths(languages: BuiltLanguages): ReadonlyMap<string, BuiltLanguage> {
  return new Map([['', languages[0]], ...languages.map((one) => [one.path, one] as const)])
}
