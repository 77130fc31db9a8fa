/**
 * `npm run check-scene`: checks that a scene keeps the contract of docs/scenes.md, in a real browser.
 * `npm run check-scene brand/scene` checks that one, without it that of `product.config.ts`.
 */
import { type Browser, chromium } from '@playwright/test'
import product from '../src/product/product.ts'
import { counted } from '../src/shared/counted.ts'
import { findSceneMistakes, type SceneName } from '../src/shared/scene.ts'
import { findSceneFaults, sceneBytes } from './build/check-scene.ts'
import { readSceneFile, sceneFolder, sceneOf } from './build/scene.ts'
import { CHROMIUM_ARGS } from './chromium/find-chromium.ts'
import { obtainChromium } from './chromium/obtain-chromium.ts'
import { watchSplash } from './chromium/watch-splash.ts'
import { CLOSELY, lookAtScene } from './scenes/look-at-scene.ts'
import { openScenePages, SCENE_URL, type ScenePages } from './scenes/scene-pages.ts'

const { argv } = process
const scene = (argv[2] ?? sceneOf(product)) as SceneName
const mistakes = findSceneMistakes(scene)
const faults = mistakes.length > 0 ? mistakes : await findSceneFaults(scene)
if (faults.length === 0) faults.push(...(await inBrowser()))
for (const fault of faults) console.error(fault)
console.log(
  faults.length === 0
    ? `${scene} keeps the contract`
    : `${scene}: ${counted(faults.length, 'fault')}`,
)
process.exit(faults.length === 0 ? 0 : 1)

async function inBrowser(): Promise<string[]> {
  console.log(`${sceneBytes(sceneFolder(scene))} bytes in brotli`)
  const found = await obtainChromium()
  if ('error' in found) throw new Error(found.error)
  const browser = await chromium.launch({ executablePath: found.path, args: [...CHROMIUM_ARGS] })
  const pages = await openScenePages()
  const faults = await lookAtScene(browser, pages, scene, CLOSELY)
  if (readSceneFile(sceneFolder(scene), 'splash'))
    for (const slowdown of [1, 6]) faults.push(...(await timeFaults(browser, pages, slowdown)))
  await browser.close()
  await pages.close()
  return faults
}

/** Other work on this machine only makes a splash look worse, so the best of three rounds counts. */
async function timeFaults(browser: Browser, pages: ScenePages, slowdown: number) {
  const speed = slowdown === 1 ? '' : `, ${slowdown} × slower`
  let faults: string[] = []
  for (let round = 0; round < 3; round += 1) {
    const page = await pages.open(browser, { scene })
    const { length, lostFrames } = await watchSplash(page, SCENE_URL, slowdown)
    await page.close()
    const [took, lost] = [`${length.toFixed(0)} ms`, `${lostFrames.toFixed(1)} % of its frames`]
    console.log(`splash${speed}: lasted ${took}, lost ${lost}`)
    faults = []
    if (slowdown === 1 && Math.abs(length - 5000) > 50)
      faults.push(`lasts ${took}, must be 5000 ± 50`)
    if (slowdown > 1 && lostFrames > 1) faults.push(`loses ${lost}${speed}, 1 % may be lost`)
    if (faults.length === 0) break
  }
  return faults
}
