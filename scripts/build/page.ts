import { globSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { build, mergeConfig } from 'vite'
import { languagesOf } from '../../src/product/languages.ts'
import product from '../../src/product/product.ts'
import { brandFilesOf } from '../../src/shared/look.ts'
import { site } from '../../src/site/site.ts'
import { trimmedLogos } from './brand-style.ts'
import { cspHash, LOAD_FONTS, minifyScript, scriptIn } from './document.ts'
import { languagePage } from './language-page.ts'
import { buildConfig, pageConfig } from './page-config.ts'
import { drawIcons } from './pictures.ts'
import { type BuiltFor, loadPrerender, pageFlags, whereAsked } from './prerender.ts'
import { readsFoot } from './scene.ts'
import { isShared, passedOnBy, SHARE_SCRIPT } from './share-script.ts'
import { openTypeface } from './typeface.ts'
import { missingLetterNotes } from './words.ts'
import { writeOut } from './write-out.ts'

const FILE = 'product.config.ts: '

interface PageOptions extends BuiltFor {
  /** Files of the founder's own, by path. */
  readonly ownFiles?: ReadonlyMap<string, Uint8Array> | undefined
  /** Whether App Check is built in. */
  readonly appCheck?: boolean
}

/**
 * Builds the page in each of its languages and everything it loads into a folder, ready to be served.
 * With several languages, what has no language's path is the first one's: a static host needs it there.
 *
 * @returns what further pages are made of, what is in all of them, and the CSP sources of the inline
 *   scripts.
 */
export async function buildPage(folder: string, options: PageOptions) {
  const { mode, publicUrl = null, confirm = false, features } = options
  const { ownFiles = new Map(), appCheck = false } = options
  // A developer's shell may say otherwise; visitors get React without its development checks.
  process.env.NODE_ENV = 'production'
  const languages = languagesOf(product)
  const typeface = await openTypeface(product.look?.type)
  for (const { product, code } of languages) {
    const place = code === languages[0].code ? '' : `languages: ${code}: `
    for (const note of missingLetterNotes(typeface, product)) console.log(FILE + place + note)
  }
  const [prerender, icons] = await Promise.all([
    loadPrerender(options),
    drawIcons(product),
    build(
      mergeConfig(buildConfig(pageConfig()), {
        mode,
        build: {
          outDir: resolve(folder),
          emptyOutDir: false,
          rolldownOptions: withoutUnused(appCheck),
        },
        define: {
          // React's own tools look into no page that is built.
          __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined',
          'import.meta.env.APP_CHECK': String(appCheck),
          ...pageFlags(options),
        },
      }),
    ),
  ])

  const shell = await readFile(join(folder, 'index.html'), 'utf8')
  const stylesheet = shell.match(/<link rel="stylesheet"[^>]*href="\/([^"]+)"/)?.[1]
  if (!stylesheet) throw new Error('the page has no stylesheet')
  // Each page has its own inline.
  await rm(join(folder, stylesheet))
  const chunks = globSync('assets/firebase-client-*.js', { cwd: folder })
  const later = chunks.map((chunk) => `/${chunk}`)
  const gate = prerender.renderGate(scriptIn(shell), later, { readsFoot: readsFoot(product) })
  const script = minifyScript(gate)
  const asked = whereAsked(product, options)
  const passedOn = passedOnBy(features)
  const common = { typeface, prerender, shell, script, publicUrl, confirm, passedOn, asked }
  const pages = await Promise.all(languages.map((language) => languagePage(language, common)))

  const files: Record<string, string | Uint8Array> = {
    // First, so that nothing of ours is replaced.
    ...Object.fromEntries(ownFiles),
    'robots.txt': 'User-agent: *\nAllow: /\n',
    ...icons,
  }
  for (const file of brandFilesOf(product)) files[file] = await readFile(file)
  for (const [file, svg] of await trimmedLogos(product)) files[file] = svg
  for (const page of pages)
    for (const path of new Set([page.language.path, ...(page === pages[0] ? [''] : [])]))
      for (const [name, content] of Object.entries({
        [site.firstPage]: page.first,
        ...page.previews,
      }))
        files[join(path, name)] = content
  for (const [path, content] of Object.entries(files)) await writeOut(join(folder, path), content)
  const inline = [
    script,
    LOAD_FONTS,
    ...(passedOn || isShared(product, publicUrl) ? [SHARE_SCRIPT] : []),
  ]
  return { pages, prerender, common, scriptHashes: inline.map(cspHash) }
}

/**
 * What only prerendered pages need says nothing to a browser. Firebase's part for App Check registers itself
 * when it is loaded, so it would stay in unused.
 */
function withoutUnused(appCheck: boolean) {
  const unused = appCheck ? /[\\/]src[\\/]site[\\/]/ : /[\\/](src[\\/]site[\\/]|app-check)/
  return { treeshake: { moduleSideEffects: [{ test: unused, sideEffects: false }] } }
}
