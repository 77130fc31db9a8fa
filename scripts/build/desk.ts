import { readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { deskLanguageOf } from '../../src/desk/contract/language.ts'
import { deskLookOf } from '../../src/desk/contract/look.ts'
import {
  type DeskDoors,
  type DeskFiles,
  linkStates,
  type RenderDesk,
  TOOL_THERE,
} from '../../src/desk/contract/pages.ts'
import { codeFile } from '../../src/product/folders.mjs'
import { languagesOf } from '../../src/product/languages.ts'
import product from '../../src/product/product.ts'
import german from '../../src/shared/german.json' with { type: 'json' }
import type { Product } from '../../src/shared/product.ts'
import { deskPolicy } from '../../src/site/desk-headers.ts'
import { brandStyle } from './brand-style.ts'
import { compressFolder } from './compress.ts'
import { cspHash } from './document.ts'
import { fontFaces } from './font-faces.ts'
import { buildConfig } from './page-config.ts'
import { openTypeface } from './typeface.ts'
import { writeOut } from './write-out.ts'

const BASE = '/desk/'
const MAIN = codeFile('src/desk/page/main.tsx')
/** All of English, as nobody has to keep count of the words there. */
const LETTERS = String.fromCharCode(...Array.from({ length: 95 }, (_, i) => 32 + i))

interface Chunk {
  readonly file: string
  readonly css?: readonly string[]
}

/**
 * Builds the operator's page: `files/` for the browser, `server/render.js` that draws it,
 * `files.json`, which says where the browser finds what it loads, and `doors.json`, the pages of a link.
 * Nothing of it is served to visitors.
 */
export async function buildDesk(folder: string, { name }: Pick<Product, 'name'>): Promise<void> {
  process.env.NODE_ENV = 'production'
  const plugins = [react(), brandStyle(languagesOf(product)[0])]
  const words = deskLanguageOf(product) === 'de' ? Object.values(german) : []
  const faces = await fontFaces(await openTypeface(), [LETTERS, name, ...words])
  await build(
    buildConfig({
      base: BASE,
      plugins,
      build: {
        emptyOutDir: false,
        outDir: resolve(folder),
        assetsDir: 'files',
        manifest: 'manifest.json',
        rolldownOptions: { input: MAIN },
      },
    }),
  )
  await build(
    buildConfig({
      base: BASE,
      plugins,
      // In one file: the process that draws the pages looks for no packages.
      ssr: { noExternal: true },
      define: {
        'process.env.NODE_ENV': '"production"',
        'import.meta.env.VITE_DOOR_FACES': JSON.stringify(faces),
      },
      build: {
        emptyOutDir: false,
        ssr: codeFile('src/desk/page/render.tsx'),
        outDir: resolve(folder, 'server'),
        minify: true,
        rolldownOptions: { output: { entryFileNames: 'render.js' } },
      },
    }),
  )
  const manifest = join(folder, 'manifest.json')
  const main = (JSON.parse(await readFile(manifest, 'utf8')) as Record<string, Chunk>)[MAIN]
  if (!main) throw new Error('the desk has no script')
  const files: DeskFiles = {
    script: BASE + main.file,
    styles: (main.css ?? []).map((file) => BASE + file),
  }
  await writeOut(join(folder, 'files.json'), JSON.stringify(files))
  await rm(manifest)
  const drawn = (await import(pathToFileURL(resolve(folder, 'server/render.js')).href)) as {
    renderPage: RenderDesk
  }
  await writeOut(join(folder, 'doors.json'), JSON.stringify(doorsOf(drawn.renderPage, files)))
  await compressFolder(join(folder, 'files'))
}

/** Each page of a link as it is sent: what stands inline is allowed by its hash, so it needs no nonce. */
function doorsOf(render: RenderDesk, files: DeskFiles): DeskDoors {
  const { name } = product
  const shell = {
    product: { name, look: deskLookOf(product) },
    places: [],
    tool: TOOL_THERE,
    language: deskLanguageOf(product),
    path: '',
    csrf: '',
    events: '',
    now: 0,
    zone: 'UTC',
  }
  const doors = linkStates.map((state) => {
    const html = render({ shell, page: { page: 'door', state } }, files, '').replaceAll(
      ' nonce=""',
      '',
    )
    const inline = [...html.matchAll(/<(style|script)>(.*?)<\/\1>/gs)]
    return [state, { html, policy: deskPolicy(inline.map(([, , text = '']) => cspHash(text))) }]
  })
  return Object.fromEntries(doors) as DeskDoors
}
