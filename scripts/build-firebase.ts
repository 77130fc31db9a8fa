/**
 * `npm run build:firebase`: writes `dist-firebase/`, a Firebase project that is ready to be deployed.
 * Its folder `public` is all that another static host needs. With `--emulators` it is the same page
 * for Firebase's emulators on this machine, which needs no project and reaches none. With
 * `--open https://app.example.com` it is the open page, whose button leads there.
 */
import { copyFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { hostedSettings } from '../src/config/programs.ts'
import { inCode } from '../src/product/folders.mjs'
import { languagesOf } from '../src/product/languages.ts'
import product from '../src/product/product.ts'
import { type BackendConfig, type OpeningBody, paths } from '../src/shared/api.ts'
import { escapeHtml } from '../src/shared/escape-html.ts'
import { OPEN_URL_RULE, parseOpenUrl } from '../src/shared/open-url.ts'
import { endOfWorkers } from '../src/site/end-of-workers.ts'
import { OPEN_URL_SLOT, site } from '../src/site/site.ts'
import { emulatorsIn, hasAppCheck, readFirebaseConfig } from './build/firebase-config.ts'
import { hostedLanguages, hosting, WORKERS } from './build/hosting.ts'
import { readBuildInput, stopAt } from './build/input.ts'
import { buildPage } from './build/page.ts'
import { plainPage } from './build/plain-page.ts'
import { replaceFolder } from './build/replace-folder.ts'
import { writeOut } from './build/write-out.ts'
import { firestoreRules } from './firestore-rules.ts'

const { settings, ownFiles, mistakes, remarks } = await readBuildInput(hostedSettings)
const { confirm } = settings
const { emulators: ports, ...project } = JSON.parse(await readFile(inCode('firebase.json'), 'utf8'))
const { emulators: isLocal, open } = given()
const openUrl = open === undefined ? undefined : parseOpenUrl(open)
if (open !== undefined && !openUrl) mistakes.push(`--open: is "${open}", must be ${OPEN_URL_RULE}`)
const firebase = isLocal ? emulatorsIn(ports) : readFirebaseConfig()
stopAt([...mistakes, ...('mistakes' in firebase ? firebase.mistakes : [])])
for (const remark of remarks) console.log(remark)
if (confirm)
  console.log(
    'CONFIRM=on: nobody is on the list until our server has asked them: docs/confirmation.md',
  )

if (product.question)
  console.log(
    'question: this page has no server of ours that would keep answers, so it asks nothing',
  )

const [first, ...others] = languagesOf(product)
if (others.length > 0)
  console.log(
    `languages: nobody knows in which one a visitor of this page signed up, so letters are in "${first.code}": docs/firebase.md`,
  )

if ('config' in firebase)
  await replaceFolder('dist-firebase', async (fresh) => {
    const folder = join(fresh, 'public')
    const { config, emulators } = firebase
    const appCheck = hasAppCheck(config)
    const options = { mode: 'firebase', ...settings, ownFiles, appCheck } as const
    const { pages, prerender, scriptHashes } = await buildPage(folder, options)
    const languages = hostedLanguages(pages)
    for (const { page, folders } of languages) {
      const files = {
        [site.firstPage]: openUrl
          ? page.open.replaceAll(OPEN_URL_SLOT, () => escapeHtml(openUrl))
          : page.first,
        // Firebase Hosting, and many another, answers with it for a path that leads nowhere.
        [site.notFoundPage]: plainPage(page, prerender.renderNotFoundPage(page.language)),
      }
      for (const one of folders)
        for (const [name, content] of Object.entries(files))
          await writeOut(join(folder, one, name), content)
    }
    for (const name of WORKERS)
      if (!ownFiles?.has(name)) await writeOut(join(folder, name), endOfWorkers)
    const opening: OpeningBody = openUrl ? { open: openUrl } : {}
    await writeOut(join(folder, paths.opening), json(opening))
    const { appId } = product
    const backend: BackendConfig = {
      mode: 'firebase',
      appId,
      firebase: config,
      emulators,
      ...(confirm && { confirm }),
    }
    await writeOut(join(folder, paths.config), json(backend))

    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    // Emulators that serve a page of production would seem to be safe to play with.
    const deployment = {
      ...project,
      hosting: hosting(files, scriptHashes, languages, {
        calls: emulators && Object.values(emulators),
        appCheck,
        own: ownFiles,
      }),
      ...(emulators && { emulators: ports }),
    }
    await writeOut(join(fresh, 'firebase.json'), json(deployment))
    await writeOut(join(fresh, '.firebaserc'), json({ projects: { default: config.projectId } }))
    await writeOut(join(fresh, 'firestore.rules'), firestoreRules(appId, { confirm }))
    await copyFile(inCode('firestore.indexes.json'), join(fresh, 'firestore.indexes.json'))
  })

/** Refuses unknown arguments, which would otherwise be ignored silently. */
function given() {
  try {
    const options = { emulators: { type: 'boolean' }, open: { type: 'string' } } as const
    return parseArgs({ options }).values
  } catch (cause) {
    console.error((cause as Error).message)
    process.exit(1)
  }
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
