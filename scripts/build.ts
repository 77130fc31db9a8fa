/** `npm run build`: writes `dist/`, everything that the server serves. */
import { join } from 'node:path'
import product from '../src/product/product.ts'
import { outcomes } from '../src/shared/outcome.ts'
import {
  confirmPageSteps,
  type LanguageManifest,
  type SiteManifest,
  site,
  unsubscribeSteps,
} from '../src/site/site.ts'
import { catalogueOf } from '../src/words/catalogue.ts'
import { STAMP, sourcesStamp } from './bootstrap/page-build.mjs'
import { compressFolder } from './build/compress.ts'
import { buildDesk } from './build/desk.ts'
import { compose, NO_INDEX } from './build/document.ts'
import { readBuildInput, stopAt } from './build/input.ts'
import type { LanguagePage } from './build/language-page.ts'
import { buildPage } from './build/page.ts'
import { plainPage } from './build/plain-page.ts'
import type { Prerender } from './build/prerender.ts'
import { replaceFolder } from './build/replace-folder.ts'
import { writeOut } from './build/write-out.ts'

const stamp = sourcesStamp('.')
const { publicUrl, confirm, ownFiles, mistakes, remarks } = await readBuildInput()
stopAt(mistakes)
for (const remark of remarks) console.log(remark)

await replaceFolder('dist', async (fresh) => {
  const folder = join(fresh, site.public.slice('dist/'.length))
  const { pages, prerender, scriptHashes } = await buildPage(folder, {
    mode: 'embedded',
    publicUrl,
    confirm,
    ownFiles,
  })
  for (const page of pages) {
    const notFound = plainPage(page, prerender.renderNotFoundPage(page.language))
    await writeOut(join(folder, page.language.path, site.notFoundPage), notFound)
  }
  await compressFolder(folder)
  await buildDesk(site.desk.replace('dist', fresh), product)

  const manifest: SiteManifest = {
    publicUrl,
    scriptHashes,
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
    words: [words.heading, words.invitation, words.label, words.submit].join(' | '),
    openWords: [words.openHeading, words.openInvitation, words.submit].join(' | '),
  }
  return { code, path, styleHashes, ...(confirm && { shown }) }
}

/** The pages of a language that the server fills in or chooses among, by path. */
function templatesOf(page: LanguagePage, prerender: Prerender): Record<string, string> {
  const { language, shell, style } = page
  const { path } = language
  const document = (head: string, body: string) =>
    compose(shell, {
      language: catalogueOf(language.product),
      head: head + NO_INDEX,
      body,
      style,
    })
  const files = { [site.openPage(undefined, path)]: page.open }
  for (const outcome of outcomes) {
    const body = prerender.renderOutcomePage(language, outcome)
    files[site.outcomePage(outcome, path)] = document(page.head, body)
    const openBody = prerender.renderOutcomePage(language, outcome, true)
    files[site.openPage(outcome, path)] = document(page.openHead, openBody)
  }
  for (const step of unsubscribeSteps) {
    const body = prerender.renderUnsubscribePage(language, step)
    files[site.unsubscribePage(step, path)] = plainPage(page, body)
  }
  for (const step of confirmPageSteps) {
    const body = prerender.renderConfirmPage(language, step)
    files[site.confirmPage(step, path)] = plainPage(page, body, page.confirmStyle)
  }
  return files
}
