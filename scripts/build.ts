/** `npm run build`: writes `dist/`, everything that the server serves. Replaces it only when done. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { build } from 'vite'
import product from '../product.config.ts'
import type { Outcome } from '../src/shared/outcome.ts'
import { findProductMistakes } from '../src/shared/product.ts'
import { PUBLIC_URL_RULE, parsePublicUrl } from '../src/shared/public-url.ts'
import { type SiteManifest, site, unsubscribeSteps } from '../src/shared/site.ts'
import { outcomeMessages } from '../src/web/messages.ts'
import { STAMP, sourcesStamp } from './bootstrap/page-build.mjs'
import { compressFolder } from './build/compress.ts'
import { compose, cspHash, escapeHtml, minifyScript, renderHead } from './build/document.ts'
import { drawPictures } from './build/pictures.ts'
import { loadPrerender } from './build/prerender.ts'

// A developer's shell may say otherwise; visitors get React without its development checks.
process.env.NODE_ENV = 'production'

const stamp = sourcesStamp('.')
const publicUrlSetting = process.env.PUBLIC_URL?.trim() ?? ''
const publicUrl = parsePublicUrl(publicUrlSetting)
const mistakes = findProductMistakes({ ...product }).map((text) => `product.config.ts: ${text}`)
if (mistakes.length === 0 && !existsSync(product.logo))
  mistakes.push(`product.config.ts: logo: there is no file ${product.logo}`)
if (publicUrl === undefined)
  mistakes.push(`PUBLIC_URL: is "${publicUrlSetting}", must be ${PUBLIC_URL_RULE}`)
if (publicUrl === undefined || mistakes.length > 0) {
  console.error(mistakes.join('\n'))
  process.exit(1)
}

const fresh = 'dist.new'
const inFresh = (path: string) => path.replace(/^dist/, fresh)
const folder = inFresh(site.public)
await rm(fresh, { recursive: true, force: true })

const [prerender, pictures] = await Promise.all([
  loadPrerender(),
  drawPictures(product),
  build({ logLevel: 'warn', build: { outDir: folder } }),
])

const shell = await readFile(join(folder, 'index.html'), 'utf8')
const stylesheet = shell.match(/<link rel="stylesheet"[^>]*href="\/([^"]+)"/)?.[1]
if (!stylesheet) throw new Error('the page has no stylesheet')
const style = (await readFile(join(folder, stylesheet), 'utf8')).trim()
await rm(join(folder, stylesheet))

const { body, gate } = prerender.renderFirstPage(product)
const script = minifyScript(gate)
const head = renderHead(product, publicUrl)
const outcomeHead = `${head}<meta name="robots" content="noindex">`

const outcomes = Object.keys(outcomeMessages) as Outcome[]
const manifest: SiteManifest = {
  publicUrl,
  scriptHashes: [cspHash(script)],
  styleHashes: [cspHash(style)],
}
// The page behind an unsubscribe link is a page and nothing more; by then nothing is coming soon.
const unsubscribeHead = outcomeHead.replace(
  /<title>.*?<\/title>/,
  () => `<title>${escapeHtml(product.name)}</title>`,
)
const withoutScript = shell.replace(/<(script|link rel="modulepreload")[^>]*>(<\/script>)?/g, '')
const files: Record<string, string | Uint8Array> = {
  [join(folder, 'index.html')]: compose(shell, { head, body, script, style }),
  [join(folder, 'robots.txt')]: 'User-agent: *\nAllow: /\n',
  [join(folder, product.logo)]: await readFile(product.logo),
  [inFresh(site.manifest)]: JSON.stringify(manifest, null, 2),
  [inFresh(STAMP)]: stamp,
}
for (const [name, picture] of Object.entries(pictures)) files[join(folder, name)] = picture
for (const outcome of outcomes) {
  const page = { head: outcomeHead, body: prerender.renderOutcomePage(product, outcome), style }
  files[inFresh(site.outcomePage(outcome))] = compose(shell, page)
}
for (const step of unsubscribeSteps) {
  const page = {
    head: unsubscribeHead,
    body: prerender.renderUnsubscribePage(product, step),
    style,
  }
  files[inFresh(site.unsubscribePage(step))] = compose(withoutScript, page)
}
for (const [path, content] of Object.entries(files)) {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}
await compressFolder(folder)

await rm('dist', { recursive: true, force: true })
await rename(fresh, 'dist')
