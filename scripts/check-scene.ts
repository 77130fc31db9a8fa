/**
 * `npm run check-scene`: checks that a scene keeps the contract of docs/scenes.md, in a real browser.
 * `npm run check-scene brand/scene` checks that one, without it that of `product.config.ts`.
 */
import { chromium } from '@playwright/test'
import product from '../src/product/product.ts'
import { counted } from '../src/shared/counted.ts'
import { findSceneMistakes, type SceneName } from '../src/shared/scene.ts'
import { findSceneFaults, sceneBytes } from './build/check-scene.ts'
import { sceneFolder, sceneOf } from './build/scene.ts'
import { CHROMIUM_ARGS } from './chromium/find-chromium.ts'
import { obtainChromium } from './chromium/obtain-chromium.ts'
import { CLOSELY, lookAtScene } from './scenes/look-at-scene.ts'
import { openScenePages } from './scenes/scene-pages.ts'

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
  await browser.close()
  await pages.close()
  return faults
}
