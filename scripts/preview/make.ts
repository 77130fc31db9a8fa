/**
 * Makes what the preview shows, in a process of its own, since settings are read once: the page and
 * its further pages as the build makes them, and the letters; and `preview.json`, which lists them.
 */
import { existsSync, readFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readLetterFile } from '../../src/announcement/run/letter-file.ts'
import { drawLogo } from '../../src/mail/letter/logo.ts'
import { messages } from '../../src/mail/letter/message.ts'
import { productFolder } from '../../src/product/folders.mjs'
import { languagesOf } from '../../src/product/languages.ts'
import product from '../../src/product/product.ts'
import { logoOn } from '../../src/shared/look.ts'
import { groundsOf } from '../../src/shared/palette.ts'
import { confirmationLetter } from '../../src/sign-up/confirmation-letter.ts'
import { site } from '../../src/site/site.ts'
import { readBuildInput, stopAt } from '../build/input.ts'
import { buildPage } from '../build/page.ts'
import { plainPage } from '../build/plain-page.ts'
import { templatesOf } from '../build/templates.ts'
import { writeOut } from '../build/write-out.ts'
import { icons, letterFile, viewsOf } from './views.ts'

/** What `preview.json` says. */
export type Preview = typeof preview & { readonly mistakes?: string }

/** Where links of the shown letters lead: nowhere. */
const ORIGIN = 'https://example.com'
const linkKey = Buffer.alloc(32, 1)

const [folder = ''] = process.argv.slice(2)
const { settings, ownFiles, mistakes, remarks } = await readBuildInput()
stopAt(mistakes)
const options = { mode: 'embedded', ...settings, ownFiles } as const
const { pages, prerender } = await buildPage(folder, options)
const files: Record<string, string> = {}
const further = pages.map((page) => {
  const notFound = plainPage(page, prerender.renderNotFoundPage(page.language))
  const templates = {
    ...templatesOf(page, prerender),
    [`${page.language.path}/${site.notFoundPage}`.slice(1)]: notFound,
  }
  Object.assign(files, templates)
  return { ...page.language, files: Object.keys(templates) }
})

const languages = languagesOf(product)
const from = `"${product.name}" <hello@example.com>`
const confirmation = confirmationLetter({
  product,
  languages,
  from,
  confirmUrl: `${ORIGIN}/confirm`,
  linkKey,
})
const letters = ['confirmation']
for (const { code } of languages)
  files[letterFile('confirmation', code)] = confirmation('ada', {
    email: 'ada@example.com',
    askedAt: new Date(),
    letters: 0,
    shown: { words: '', page: '', language: code },
  }).html
const findings = [...remarks]
const launch = join(productFolder, 'launch.md')
if (existsSync(launch)) {
  const read = await readLetterFile(launch, from, languages, productFolder).catch((error) => error)
  if (read instanceof Error)
    findings.push('launch.md: is not a letter yet: bin/opening-bell announce --preview says why')
  else {
    letters.push('launch')
    const of = { ...read, product, languages, linkKey, announcement: read.id }
    const make = messages({ ...of, unsubscribeUrl: `${ORIGIN}/unsubscribe` })
    for (const { code } of languages)
      files[letterFile('launch', code)] = make({
        addressId: 'ada',
        email: 'ada@example.com',
        language: code,
      }).html
  }
} else
  findings.push('launch.md: is not there yet, so there is no letter to show: docs/launch-day.md')
const logo = await drawLogo(readFileSync(logoOn(product, 'light')))
for (const [file, html] of Object.entries(files))
  if (file.startsWith('letters/'))
    files[file] = html.replaceAll('cid:logo', `data:image/png;base64,${logo.toString('base64')}`)

if (settings.publicUrl === null)
  findings.push('PUBLIC_URL: is not set, so link previews have no picture')
if (!product.postalAddress)
  findings.push('postalAddress: is missing; many countries want one in letters')
if (!product.links) findings.push('links: there are none; many countries want an imprint')

for (const [file, html] of Object.entries(files)) await writeOut(join(folder, file), html)
const preview = {
  madeAt: Date.now(),
  name: product.name,
  languages: languages.map(({ code }) => code),
  schemes: groundsOf(product).map(({ scheme }) => scheme),
  findings,
  views: [...further.flatMap((one) => viewsOf(one, one.files, letters)), ...icons],
}
await writeOut(join(folder, 'preview/preview.json'), JSON.stringify(preview))
await copyFile(join(import.meta.dirname, 'page.html'), join(folder, 'preview/page.html'))
