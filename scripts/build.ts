/** `npm run build`: writes `dist/`, everything that the server serves. */
import product from '../product.config.ts'
import type { Outcome } from '../src/shared/outcome.ts'
import { type SiteManifest, site, unsubscribeSteps } from '../src/shared/site.ts'
import { outcomeMessages } from '../src/web/messages.ts'
import { STAMP, sourcesStamp } from './bootstrap/page-build.mjs'
import { compressFolder } from './build/compress.ts'
import { compose, escapeHtml } from './build/document.ts'
import { readBuildInput, stopAt } from './build/input.ts'
import { buildPage } from './build/page.ts'
import { replaceFolder } from './build/replace-folder.ts'
import { writeOut } from './build/write-out.ts'

const stamp = sourcesStamp('.')
const { publicUrl, mistakes, remarks } = await readBuildInput()
stopAt(mistakes)
for (const remark of remarks) console.log(remark)

await replaceFolder('dist', async (fresh) => {
  const inFresh = (path: string) => path.replace(/^dist/, fresh)
  const folder = inFresh(site.public)
  const page = await buildPage(folder, { mode: 'embedded', publicUrl })
  await compressFolder(folder)

  const { prerender, shell, style } = page
  const head = `${page.head}<meta name="robots" content="noindex">`
  const manifest: SiteManifest = { publicUrl, ...page.inline }
  // The page behind an unsubscribe link is a page and nothing more; by then nothing is coming soon.
  const unsubscribeHead = head.replace(
    /<title>.*?<\/title>/,
    () => `<title>${escapeHtml(product.name)}</title>`,
  )
  const withoutScript = shell.replace(/<(script|link rel="modulepreload")[^>]*>(<\/script>)?/g, '')
  const files: Record<string, string> = {
    [site.manifest]: JSON.stringify(manifest, null, 2),
    [STAMP]: stamp,
  }
  for (const outcome of Object.keys(outcomeMessages) as Outcome[]) {
    const body = prerender.renderOutcomePage(product, outcome)
    files[site.outcomePage(outcome)] = compose(shell, { head, body, style })
  }
  for (const step of unsubscribeSteps) {
    const body = prerender.renderUnsubscribePage(product, step)
    files[site.unsubscribePage(step)] = compose(withoutScript, {
      head: unsubscribeHead,
      body,
      style,
    })
  }
  for (const [path, content] of Object.entries(files)) await writeOut(inFresh(path), content)
})
