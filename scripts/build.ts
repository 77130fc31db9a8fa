/** `npm run build`: writes `dist/`, everything that the server serves. */
import product from '../product.config.ts'
import type { Outcome } from '../src/shared/outcome.ts'
import { type SiteManifest, site } from '../src/shared/site.ts'
import { outcomeMessages } from '../src/web/messages.ts'
import { STAMP, sourcesStamp } from './bootstrap/page-build.mjs'
import { compressFolder } from './build/compress.ts'
import { compose } from './build/document.ts'
import { readBuildInput, stopAt } from './build/input.ts'
import { buildPage } from './build/page.ts'
import { replaceFolder } from './build/replace-folder.ts'
import { writeFiles } from './build/write-files.ts'

const stamp = sourcesStamp('.')
const { publicUrl, mistakes } = readBuildInput()
stopAt(mistakes)

await replaceFolder('dist', async (fresh) => {
  const inFresh = (path: string) => path.replace(/^dist/, fresh)
  const folder = inFresh(site.public)
  const page = await buildPage(folder, { mode: 'embedded', publicUrl })
  await compressFolder(folder)

  const manifest: SiteManifest = { publicUrl, ...page.inline }
  const files: Record<string, string> = {
    [inFresh(site.manifest)]: JSON.stringify(manifest, null, 2),
    [inFresh(STAMP)]: stamp,
  }
  const head = `${page.head}<meta name="robots" content="noindex">`
  for (const outcome of Object.keys(outcomeMessages) as Outcome[]) {
    const body = page.prerender.renderOutcomePage(product, outcome)
    files[inFresh(site.outcomePage(outcome))] = compose(page.shell, {
      head,
      body,
      style: page.style,
    })
  }
  await writeFiles('.', files)
})
