/** `npm run build`: writes `dist/`, everything that the server serves. */
import { join } from 'node:path'
import product from '../src/product/product.ts'
import { outcomes } from '../src/shared/outcome.ts'
import { confirmPageSteps, type SiteManifest, site, unsubscribeSteps } from '../src/site/site.ts'
import { catalogueOf } from '../src/words/catalogue.ts'
import { STAMP, sourcesStamp } from './bootstrap/page-build.mjs'
import { compressFolder } from './build/compress.ts'
import { buildDesk } from './build/desk.ts'
import { compose, NO_INDEX } from './build/document.ts'
import { readBuildInput, stopAt } from './build/input.ts'
import { buildPage } from './build/page.ts'
import { plainPage } from './build/plain-page.ts'
import { replaceFolder } from './build/replace-folder.ts'
import { writeOut } from './build/write-out.ts'

const stamp = sourcesStamp('.')
const { publicUrl, confirm, mistakes, remarks } = await readBuildInput()
stopAt(mistakes)
for (const remark of remarks) console.log(remark)

await replaceFolder('dist', async (fresh) => {
  const inFresh = (path: string) => path.replace(/^dist/, fresh)
  const folder = inFresh(site.public)
  const page = await buildPage(folder, { mode: 'embedded', publicUrl, confirm })
  const { prerender, shell, style } = page
  const notFound = plainPage(page, prerender.renderNotFoundPage(product))
  await writeOut(join(folder, site.notFoundPage), notFound)
  await compressFolder(folder)
  await buildDesk(inFresh(site.desk), product)

  const head = page.head + NO_INDEX
  const openHead = page.openHead + NO_INDEX
  const language = catalogueOf(product)
  const { words } = language
  const shown = {
    words: [words.heading, words.invitation, words.label, words.submit].join(' | '),
    openWords: [words.openHeading, words.openInvitation, words.submit].join(' | '),
    language: language.language,
  }
  const manifest: SiteManifest = { publicUrl, ...page.inline, ...(confirm && { shown }) }
  const files: Record<string, string> = {
    [site.manifest]: JSON.stringify(manifest, null, 2),
    [STAMP]: stamp,
    [site.openPage()]: page.open,
  }
  for (const outcome of outcomes) {
    const body = prerender.renderOutcomePage(product, outcome)
    files[site.outcomePage(outcome)] = compose(shell, { language, head, body, style })
    const openBody = prerender.renderOutcomePage(product, outcome, true)
    const openPage = { language, head: openHead, body: openBody, style }
    files[site.openPage(outcome)] = compose(shell, openPage)
  }
  for (const step of unsubscribeSteps) {
    const body = prerender.renderUnsubscribePage(product, step)
    files[site.unsubscribePage(step)] = plainPage(page, body)
  }
  for (const step of confirmPageSteps) {
    const body = prerender.renderConfirmPage(product, step)
    files[site.confirmPage(step)] = plainPage(page, body, page.confirmStyle)
  }
  for (const [path, content] of Object.entries(files)) await writeOut(inFresh(path), content)
})
