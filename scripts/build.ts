/** `npm run build`: writes `dist/`, everything that the server serves. */
import { join } from 'node:path'
import product from '../src/product/product.ts'
import { type LanguageManifest, type SiteManifest, site } from '../src/site/site.ts'
import { STAMP, sourcesStamp } from './bootstrap/page-build.mjs'
import { compressFolder } from './build/compress.ts'
import { buildDesk } from './build/desk.ts'
import { readBuildInput, stopAt } from './build/input.ts'
import type { LanguagePage } from './build/language-page.ts'
import { buildPage } from './build/page.ts'
import { plainPage } from './build/plain-page.ts'
import { replaceFolder } from './build/replace-folder.ts'
import { templatesOf } from './build/templates.ts'
import { writeOut } from './build/write-out.ts'

const stamp = sourcesStamp('.')
const { settings, ownFiles, mistakes, remarks } = await readBuildInput()
stopAt(mistakes)
for (const remark of remarks) console.log(remark)

await replaceFolder('dist', async (fresh) => {
  const folder = join(fresh, site.public.slice('dist/'.length))
  const options = { mode: 'embedded', ...settings, ownFiles } as const
  const { pages, prerender, scriptHashes } = await buildPage(folder, options)
  for (const page of pages) {
    const notFound = plainPage(page, prerender.renderNotFoundPage(page.language))
    await writeOut(join(folder, page.language.path, site.notFoundPage), notFound)
  }
  await compressFolder(folder)
  await buildDesk(site.desk.replace('dist', fresh), product)

  const manifest: SiteManifest = {
    publicUrl: settings.publicUrl,
    scriptHashes,
    features: Object.keys(settings.features).filter((name) => settings.features[name]),
    ownFiles: [...(ownFiles?.keys() ?? [])].map((path) => `/${path}`),
    languages: pages.map(manifestOf) as unknown as SiteManifest['languages'],
  }
  const files: Record<string, string> = {
    [site.manifest]: JSON.stringify(manifest, null, 2),
    [STAMP]: stamp,
  }
  for (const page of pages) Object.assign(files, templatesOf(page, prerender))
  for (const [path, content] of Object.entries(files))
    await writeOut(path.replace('dist', fresh), content)
})

function manifestOf({ language, styleHashes }: LanguagePage): LanguageManifest {
  const { code, path, words } = language
  const shown = {
    words: [words.heading, words.offer, words.label, words.submit].join(' | '),
    openWords: [words.openHeading, words.openOffer, words.submit].join(' | '),
    formWords: [words.offer, words.label, words.submit].join(' | '),
  }
  return { code, path, styleHashes, ...(settings.confirm && { shown }) }
}
