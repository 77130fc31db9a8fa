/**
 * `npm run screenshots`: the splash at its moments, all that the preview lists and each page of the
 * desk, in every size of interest, into `screenshots/`; and the README's pictures, one of which moves.
 */
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { CHROMIUM_ARGS } from './chromium/find-chromium.ts'
import { obtainChromium } from './chromium/obtain-chromium.ts'
import { openSplash, showAt } from './chromium/splash-time.ts'
import { startPreview } from './preview/preview-server.ts'
import type { View } from './preview/views.ts'
import { animatedWebp } from './screenshots/animated-webp.ts'
import { shootDesk } from './screenshots/desk.ts'
import { filmSplash } from './screenshots/film-splash.ts'
import { serve } from './serve.ts'

const sizes = [
  { width: 360, height: 800 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
]
const splashMoments = [500, 1500, 2500, 3500, 4500, 4600, 4700, 4800, 4900, 5000]
const folder = 'screenshots'
await mkdir(folder, { recursive: true })

const dataDir = await mkdtemp(join(tmpdir(), 'opening-bell-screenshots-'))
const server = await serve({ DATA_DIR: dataDir, RATE_LIMIT: '0' })
const found = await obtainChromium()
if ('error' in found) throw new Error(found.error)
const browser = await chromium.launch({ executablePath: found.path, args: [...CHROMIUM_ARGS] })

const preview = await startPreview(0)
const { schemes, views } = preview.preview()
for (const viewport of sizes)
  for (const scheme of schemes)
    for (const view of views.filter(({ group }) => group !== 'Pictures'))
      await shoot(view, scheme, viewport)
await preview.close()

async function shoot(view: View, scheme: 'light' | 'dark', viewport: (typeof sizes)[number]) {
  const place = `${folder}/${viewport.width}x${viewport.height}-${scheme}-${view.language}`
  const name = (what: string) =>
    `${place}-${view.group.toLowerCase().replace(' ', '-')}-${what}.png`
  const page = await browser.newPage({ viewport })
  const url = `${preview.url}/at/${scheme}/${view.path}`
  if (view.name === 'splash') {
    await openSplash(page, url)
    for (const moment of splashMoments)
      await writeFile(name(`splash-${moment}`), await showAt(page, moment))
  } else {
    await page.goto(url)
    await page.locator('[data-reached]').waitFor()
    await page.screenshot({ path: name(view.name), animations: 'disabled' })
  }
  await page.close()
}

const [stage, workshop] = [
  await browser.newPage({ viewport: { width: 1280, height: 800 } }),
  await browser.newPage(),
]
await writeFile(
  'docs/splash.webp',
  await animatedWebp(workshop, await filmSplash(stage, server.url)),
)
await copyFile(`${folder}/1440x900-dark-en-page-idle.png`, 'docs/page.png')
await server.stop()
await shootDesk(browser, folder, sizes)
await browser.close()
await rm(dataDir, { recursive: true })
