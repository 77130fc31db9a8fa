import { globSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { build, mergeConfig } from 'vite'
import { inCode } from '../../src/product/folders.mjs'
import product from '../../src/product/product.ts'
import type { BackendConfig } from '../../src/shared/api.ts'
import { catalogueOf } from '../../src/words/catalogue.ts'
import { compose, cspHash, LOAD_FONTS, minifyScript, renderHead, scriptIn } from './document.ts'
import { fontFaces } from './font-faces.ts'
import { pageConfig } from './page-config.ts'
import { drawPictures } from './pictures.ts'
import { loadPrerender, pageFlags } from './prerender.ts'
import { openTypeface } from './typeface.ts'
import { firstPageWords, missingLetterNotes, wordsOf } from './words.ts'
import { writeOut } from './write-out.ts'

interface PageOptions {
  /** Vite's mode: decides which backends the page can reach. */
  readonly mode: BackendConfig['mode']
  readonly publicUrl: string | null
  /** Whether visitors have to confirm; otherwise the page holds nothing of that. */
  readonly confirm?: boolean
  /** Whether App Check is built in. */
  readonly appCheck?: boolean
}

/**
 * Builds the page and everything it loads into a folder, ready to be served.
 *
 * @returns what further pages are made of, and the CSP sources of what stands inline.
 */
export async function buildPage(
  folder: string,
  { mode, publicUrl, confirm = false, appCheck = false }: PageOptions,
) {
  // A developer's shell may say otherwise; visitors get React without its development checks.
  process.env.NODE_ENV = 'production'
  const typeface = await openTypeface()
  for (const note of missingLetterNotes(typeface, product)) console.log(note)
  const [prerender, pictures, firstFaces, faces, confirmFaces] = await Promise.all([
    loadPrerender(mode, confirm),
    drawPictures(product, typeface),
    fontFaces(typeface, firstPageWords(product, { confirm })),
    fontFaces(typeface, wordsOf(product, { confirm })),
    fontFaces(typeface, wordsOf(product, { confirm: true })),
    build(
      mergeConfig(pageConfig, {
        configFile: false,
        mode,
        logLevel: 'warn',
        build: {
          outDir: resolve(folder),
          emptyOutDir: false,
          rolldownOptions: withoutUnused(appCheck),
        },
        define: { 'import.meta.env.APP_CHECK': String(appCheck), ...pageFlags(confirm) },
      }),
    ),
  ])

  const shell = await readFile(join(folder, 'index.html'), 'utf8')
  const stylesheet = shell.match(/<link rel="stylesheet"[^>]*href="\/([^"]+)"/)?.[1]
  if (!stylesheet) throw new Error('the page has no stylesheet')
  const own = (await readFile(join(folder, stylesheet), 'utf8')).trim()
  const more = (await readFile(inCode('src/web/confirm.css'), 'utf8')).replace(/\s+/g, ' ').trim()
  const css = confirm ? own + more : own
  // Last, where they compress best.
  const [firstStyle, style] = [css + firstFaces, css + faces]
  // Letters that left are answered also where nobody is asked any more.
  const confirmStyle = own + more + confirmFaces
  await rm(join(folder, stylesheet))

  const { body, openBody, gate } = prerender.renderFirstPage(product)
  const chunks = globSync('assets/firebase-client-*.js', { cwd: folder })
  const later = chunks.map((chunk) => `/${chunk}`)
  const script = minifyScript(gate(scriptIn(shell), later))
  const language = catalogueOf(product)
  const head = renderHead(product, publicUrl)
  const openHead = renderHead(product, publicUrl, true)
  const files = {
    'index.html': compose(shell, { language, head, body, script, style: firstStyle }),
    'robots.txt': 'User-agent: *\nAllow: /\n',
    [product.logo]: await readFile(product.logo),
    ...pictures,
  }
  for (const [path, content] of Object.entries(files)) await writeOut(join(folder, path), content)
  const inline = {
    scriptHashes: [cspHash(script), cspHash(LOAD_FONTS)],
    styleHashes: {
      first: cspHash(firstStyle),
      confirm: cspHash(confirmStyle),
      plain: cspHash(style),
    },
  }
  /** The open page, without the address that its button leads to. */
  const open = compose(shell, {
    language,
    head: openHead,
    body: openBody,
    script,
    style: firstStyle,
  })
  return { shell, head, openHead, open, style, confirmStyle, prerender, inline }
}

/** Firebase's part for App Check registers itself when it is loaded, so it would stay in unused. */
function withoutUnused(appCheck: boolean) {
  if (appCheck) return {}
  return { treeshake: { moduleSideEffects: [{ test: /[\\/]app-check/, sideEffects: false }] } }
}
