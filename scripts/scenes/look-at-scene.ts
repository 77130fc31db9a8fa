import type { Browser, Locator, Page } from '@playwright/test'
import { AA, contrast, luminance } from '../../src/shared/colour.ts'
import { groundsOf, type Palette } from '../../src/shared/look.ts'
import type { SceneName } from '../../src/shared/scene.ts'
import { variablesOf } from '../build/brand-style.ts'
import { readSceneFile, sceneFolder } from '../build/scene.ts'
import { isSeen, PARTS, type Picture, readPng } from '../chromium/png.ts'
import { openSplash, showAt } from './open-splash.ts'
import { SCENE_URL, type ScenePages } from './scene-pages.ts'

const LENGTH = 5000
/** How long what the end of the splash has begun may move. WCAG 2.2.2 allows five seconds. */
const AFTER = 3000

/** How closely a scene is looked at: the short form finds the same faults with fewer pictures. */
export interface Closeness {
  /** Milliseconds between two frames that are searched for flashes. */
  readonly everyMs: number
  /** Tried on a light and on a dark ground. */
  readonly accents: readonly string[]
  /** Of one letter to the forty that a name may have. */
  readonly names: readonly string[]
  /** On one ground, with one name and in one window of each kind, without a search for flashes. */
  readonly isGlance?: boolean
}

/** Twenty accents around the wheel of hues, strong and pale; names of one and of forty letters. */
export const CLOSELY: Closeness = {
  everyMs: 20,
  accents: [
    ...['#e5484d', '#b84f0a', '#ff7a1a', '#f0b45a', '#ffd60a', '#a3c76d', '#30a46c', '#2ee6a0'],
    ...['#12a594', '#00c2d7', '#0090ff', '#7dd3fc', '#3e63dd', '#6e56cf', '#a78bfa', '#8e4ec6'],
    ...['#d6409f', '#ff8fb1', '#8d8d8d', '#ad7f58'],
  ],
  names: [
    'X',
    'Northern Lights Portfolio Terminal Group',
    'Rindfleischetikettierungsüberwachungsamt',
  ],
}

/** What the torture has time for. */
export const SHORTLY: Closeness = {
  everyMs: 100,
  accents: ['#e5484d', '#ffd60a'],
  names: ['Rindfleischetikettierungsüberwachungsamt'],
}

/** What `npm test` has time for. */
export const AT_A_GLANCE: Closeness = { ...SHORTLY, accents: ['#ffd60a'], isGlance: true }

const [PAPER, NIGHT] = ['#fbf5ea', '#17120c'] as const
const on = (scene: SceneName, ground: string) => ({
  scene,
  look: { ground },
  links: { Imprint: '/imprint' },
})

/**
 * Looks at a scene in a browser: what no reading of its files can tell.
 *
 * @returns one sentence for each way in which it breaks the contract: docs/scenes.md.
 */
export async function lookAtScene(
  browser: Browser,
  pages: ScenePages,
  scene: SceneName,
  { everyMs, accents, names, isGlance = false }: Closeness,
): Promise<string[]> {
  const faults: string[] = []
  const page = await pages.open(browser, on(scene, PAPER), {
    viewport: { width: 640, height: 400 },
  })
  await openSplash(page)
  const hasSplash = (await page.locator('#splash').count()) > 0
  if (hasSplash) {
    const quiet = await page.evaluate(quietMoment)
    faults.push(...(await page.evaluate(clockFaults, LENGTH)))
    if (!(quiet > 0 && quiet < LENGTH - 500))
      return [...faults, `its quiet moment is at ${quiet} ms; it must be within the splash`]
    faults.push(...(await quietFaults(page, quiet)))
    if (!isGlance) {
      faults.push(...(await flashes(page, everyMs, PAPER)))
      const night = await pages.open(browser, on(scene, NIGHT))
      await openSplash(night)
      faults.push(...(await flashes(night, everyMs, NIGHT)))
      await night.close()
      faults.push(...(await inForcedColours(page, quiet)))
      faults.push(...(await withoutMotion(page)))
      await page.emulateMedia({ reducedMotion: 'no-preference', forcedColors: 'none' })
    }
    const inWindows = isGlance ? NAMED.slice(0, 1) : NAMED
    for (const name of names)
      faults.push(...(await nameFaults(browser, pages, { scene, name }, inWindows)))
  }
  faults.push(...(await afterwards(page)))
  await page.close()
  const named = isGlance ? [] : namedWindows(readSceneFile(sceneFolder(scene), 'style'))
  faults.push(...(await coveredParts(browser, pages, scene, [...WIDTHS, ...named])))
  const windows = [...(isGlance ? TEXT_WINDOWS.slice(0, 1) : TEXT_WINDOWS), ...named]
  for (const ground of isGlance ? [PAPER] : [PAPER, NIGHT])
    faults.push(...(await contrasts(browser, pages, scene, { ground, accents, windows })))
  return faults
}

/** When the page's script loads. Runs in the page. */
function quietMoment(): number {
  const [first] = document.querySelector('#splash [data-quiet]')?.getAnimations() ?? []
  return Number(first?.effect?.getComputedTiming().endTime ?? 0)
}

/** Runs in the page. */
function clockFaults(length: number): string[] {
  const splash = document.getElementById('splash')
  const faults: string[] = []
  const end = (one: Animation) => Number(one.effect?.getComputedTiming().endTime)
  const clock = splash?.getAnimations().map(end)
  if (String(clock) !== String(length)) faults.push(`its clock is ${clock} ms, not ${length}`)
  for (const one of splash?.getAnimations({ subtree: true }) ?? [])
    if (end(one) > length)
      faults.push(
        `"${(one as CSSAnimation).animationName}" ends ${end(one)} ms after the first paint`,
      )
  return faults
}

async function quietFaults(page: Page, quiet: number): Promise<string[]> {
  const [first, last] = [await showAt(page, quiet + 10), await showAt(page, quiet + 250)]
  return (await isSame(first, last))
    ? []
    : ['something moves in its quiet moment, in the 250 ms after it']
}

/**
 * No more than three flashes in any second (WCAG 2.3.1): a flash is a change of relative luminance by
 * a tenth and back, the darker one below 0.8. Stricter than the rule, which allows them in small areas.
 */
async function flashes(page: Page, everyMs: number, ground: string): Promise<string[]> {
  const viewport = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 200 })
  const cells: number[][] = []
  for (let time = 0; time < LENGTH; time += everyMs)
    cells.push(luminances(await readPng(await showAt(page, time))))
  if (viewport) await page.setViewportSize(viewport)
  const most = Math.max(
    ...(cells[0] ?? []).map((_, cell) =>
      mostFlashes(
        cells.map((frame) => frame[cell] ?? 0),
        1000 / everyMs,
      ),
    ),
  )
  return most > 3 ? [`flashes ${most} times in a second on ${ground}, three are allowed`] : []
}

/** How bright each part of a picture is: of a grid of 8 by 5. */
function luminances({ width, height, data }: Picture): number[] {
  const sums = Array<number>(40).fill(0)
  const counts = Array<number>(40).fill(0)
  for (let y = 0; y < height; y += 4)
    for (let x = 0; x < width; x += 4) {
      const cell = Math.floor((y * 5) / height) * 8 + Math.floor((x * 8) / width)
      const at = (y * width + x) * PARTS
      sums[cell] = (sums[cell] ?? 0) + luminance(hexOf(data.subarray(at, at + 3)))
      counts[cell] = (counts[cell] ?? 0) + 1
    }
  return sums.map((sum, cell) => sum / (counts[cell] || 1))
}

/** The most pairs of opposite changes in any second, as WCAG counts them. */
function mostFlashes(levels: readonly number[], perSecond: number): number {
  const turns: number[] = []
  let [extreme = 0] = levels
  let direction = 0
  levels.forEach((level, frame) => {
    const change = level - extreme
    if (
      Math.abs(change) >= 0.1 &&
      Math.min(level, extreme) < 0.8 &&
      Math.sign(change) !== direction
    ) {
      direction = Math.sign(change)
      turns.push(frame)
      extreme = level
    } else if (change * direction > 0) extreme = level
  })
  return Math.max(
    0,
    ...turns.map((from) =>
      Math.floor(turns.filter((at) => at >= from && at < from + perSecond).length / 2),
    ),
  )
}

/** Forced colours would leave a scene of empty boxes, so the gate keeps its own. */
async function inForcedColours(page: Page, quiet: number): Promise<string[]> {
  const own = await showAt(page, quiet)
  await page.emulateMedia({ forcedColors: 'active' })
  const isKept = await isSame(own, await showAt(page, quiet))
  await page.emulateMedia({ forcedColors: 'none' })
  return isKept ? [] : ['looks different where the system forces colours']
}

async function withoutMotion(page: Page): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openSplash(page)
  await page.evaluate(() => document.fonts.ready)
  const first = await showAt(page, 0)
  const isStill = await isSame(first, await showAt(page, LENGTH - 10))
  return isStill ? [] : ['moves for a visitor who wants no motion']
}

type Window = readonly [width: number, height: number]

/** From either side on the smallest screen, on a low one, and on one at twice the size. */
const NAMED: readonly (readonly [language: string, ...Window])[] = [
  ['en', 320, 568],
  ['en', 800, 360],
  ['en', 640, 400],
  ['ar', 320, 568],
  ['ar', 800, 360],
  ['ar', 640, 400],
]

/** Whether the name is whole. */
async function nameFaults(
  browser: Browser,
  pages: ScenePages,
  { scene, name }: { readonly scene: SceneName; readonly name: string },
  named: typeof NAMED,
): Promise<string[]> {
  const faults: string[] = []
  for (const [language, width, height] of named) {
    const options = { viewport: { width, height }, reducedMotion: 'reduce' } as const
    const page = await pages.open(browser, { scene, name, language }, options)
    await openSplash(page)
    const box = await page.locator('.splash-name').boundingBox()
    const isWhole =
      !box ||
      (box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    const where = `at ${width} x ${height}, ${language === 'ar' ? 'right to left, ' : ''}with "${name}"`
    if (!isWhole) faults.push(`the name leaves the screen ${where}`)
    if (wide) faults.push(`the page is wider than the screen ${where}`)
    await page.close()
  }
  return faults
}

/** Whether nobody can see a change from one screenshot to the other. */
async function isSame(one: Buffer, other: Buffer): Promise<boolean> {
  if (one.equals(other)) return true
  const [before, after] = await Promise.all([readPng(one), readPng(other)])
  return !before.data.some((part, at) => isSeen(part, after.data[at]))
}

/** What the page is like once the splash is over. */
async function afterwards(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(SCENE_URL)
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish()
  })
  await page.locator('#splash').waitFor({ state: 'detached' })
  return page.evaluate(async (after) => {
    const faults: string[] = []
    for (const one of document.getAnimations()) {
      const end = Number(one.effect?.getComputedTiming().endTime)
      if (!(end <= after)) faults.push(`something moves for ${end} ms after the splash`)
    }
    const seen = (type: string) =>
      new Promise<PerformanceEntry[]>((resolve) => {
        const all: PerformanceEntry[] = []
        const observer = new PerformanceObserver((list) => all.push(...list.getEntries()))
        observer.observe({ type, buffered: true })
        requestAnimationFrame(() =>
          setTimeout(() => resolve([...all, ...observer.takeRecords()]), 50),
        )
      })
    if ((await seen('layout-shift')).length > 0) faults.push('something of the page is shifted')
    const largest = (await seen('largest-contentful-paint')).at(-1) as
      | (PerformanceEntry & { element: Element | null })
      | undefined
    if (largest && !largest.element?.closest('#root'))
      faults.push('the largest paint is the splash, not the page')
    return faults
  }, AFTER)
}

/** A phone, a tablet, a desk. */
const WIDTHS: readonly Window[] = [
  [390, 760],
  [820, 1180],
  [1280, 800],
]

/** Windows at, below and above each size that a style's queries name, where it may look different. */
export function namedWindows(style: string): Window[] {
  const found = new Map<string, Window>()
  for (const [, query = ''] of style.matchAll(/@(?:media|container)([^{]*)/gi))
    for (const [, size, unit = ''] of query.matchAll(/([\d.]+)(px|r?em)\b/gi))
      for (const more of [-1, 0, 1]) {
        const named = Math.round(Number(size) * (/px/i.test(unit) ? 1 : 16)) + more
        const windows: Window[] = []
        if (/width|inline-size/i.test(query) && named >= 320) windows.push([named, 800])
        if (/height|block-size/i.test(query) && named >= 320) windows.push([1280, named])
        for (const one of windows) if (named <= 4000) found.set(String(one), one)
      }
  return [...found.values()]
}

const FORM_AND_FOOT = '.subscribe input[type=email], .subscribe button, .footer a'

/** What a visitor, and the law, must be able to see and to reach once the splash is over. */
const NEEDED = { idle: FORM_AND_FOOT, focus: FORM_AND_FOOT, success: '.footer a' } as const
type Moment = keyof typeof NEEDED

/** Whether the form and the links at the foot are there and on top, before and after a sign-up. */
async function coveredParts(
  browser: Browser,
  pages: ScenePages,
  scene: SceneName,
  windows: readonly Window[],
) {
  const faults: string[] = []
  for (const [width, height] of windows) {
    const page = await pages.open(browser, on(scene, PAPER), { viewport: { width, height } })
    await page.goto(SCENE_URL)
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish()
    })
    await page.locator('#splash').waitFor({ state: 'detached' })
    // A cover may let each press through, and is found all the same.
    await page.addStyleTag({
      content: '.backdrop, .backdrop * { pointer-events: auto !important }',
    })
    for (const [moment, needed] of Object.entries(NEEDED)) {
      await page.evaluate(reach, moment as Moment)
      for (const part of await page.locator(needed).all())
        if (!((await part.evaluate(isOnTop)) && (await isDrawn(part))))
          faults.push(
            `${await part.evaluate(nameOf)} cannot be seen or reached after the splash at ${width} px, ${moment}`,
          )
    }
    await page.close()
  }
  return faults
}

/** Runs in the page. */
function reach(moment: Moment): void {
  document.querySelector('form')?.setAttribute('data-status', moment.replace('focus', 'idle'))
  const field = document.querySelector<HTMLElement>('.subscribe input[type=email]')
  if (moment === 'focus') field?.focus()
  else field?.blur()
  // Also those that the new moment has begun.
  document.body.getBoundingClientRect()
  for (const animation of document.getAnimations()) animation.finish()
}

/** Runs in the page. */
function isOnTop(one: Element): boolean {
  const visible = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }
  one.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { x, y, width, height } = one.getBoundingClientRect()
  const top = document.elementFromPoint(x + width / 2, y + height / 2)
  const isOurs = !!top?.closest('.subscribe, .footer')
  return width > 0 && height > 0 && one.checkVisibility(visible) && isOurs
}

/** Runs in the page. */
const nameOf = (one: Element) =>
  one.closest('.footer')
    ? `the link "${one.textContent}"`
    : `the form's ${one.tagName.toLowerCase()}`

/** Whether one sees that it is gone: a shadow, an outline or a filter covers it, and takes no press. */
async function isDrawn(part: Locator): Promise<boolean> {
  const shown = await part.screenshot({ animations: 'disabled' })
  await part.evaluate(setSeen, false)
  const gone = await part.screenshot({ animations: 'disabled' })
  await part.evaluate(setSeen, true)
  return !(await isSame(shown, gone))
}

/** By its opacity, as what is `hidden` loses the focus. Runs in the page. */
function setSeen(one: HTMLElement | SVGElement, isShown: boolean): void {
  one.style.transition = 'none'
  one.style.opacity = isShown ? '' : '0'
}

/** What is behind text is seen as well in half of the pixels. */
const SCALE = 0.5

const TEXT_WINDOWS: readonly Window[] = [
  [390, 760],
  [1280, 800],
]

interface Looked {
  readonly ground: string
  readonly accents: readonly string[]
  readonly windows: readonly Window[]
}

/** Text on what the scene draws behind it: AA, on each ground with each accent. */
async function contrasts(
  browser: Browser,
  pages: ScenePages,
  scene: SceneName,
  { ground, accents, windows }: Looked,
): Promise<string[]> {
  const faults: string[] = []
  for (const [width, height] of windows) {
    const viewport = { width, height }
    const options = { viewport, reducedMotion: 'reduce', deviceScaleFactor: SCALE } as const
    const page = await pages.open(browser, on(scene, ground), options)
    for (const moment of ['splash', 'idle', 'focus', 'success'] as const) {
      if (moment === 'splash') await openSplash(page)
      else {
        await page.evaluate(() => document.getElementById('splash')?.remove())
        await page.evaluate(reach, moment)
      }
      for (const accent of accents) {
        const [{ palette }] = groundsOf({ accent, look: { ground } })
        const worst = await worstContrast(page, palette, moment)
        if (worst && worst.ratio < AA)
          faults.push(
            `${worst.what} has a contrast of ${worst.ratio.toFixed(2)} on ${ground} with ${accent} at ${width} px`,
          )
      }
    }
    await page.close()
  }
  return faults
}

async function worstContrast(page: Page, palette: Palette, moment: 'splash' | Moment) {
  const texts = await page.evaluate(
    ([colours, selector]) => {
      const root = document.documentElement
      for (const [name, value] of Object.entries(colours)) root.style.setProperty(name, value)
      const all = [...document.querySelectorAll<HTMLElement>(selector)]
      for (const one of all) Object.assign(one.style, { transition: 'none', opacity: '' })
      // After a sign-up the form takes no eye any more.
      const seen = all.filter((one) => one.checkVisibility({ opacityProperty: true }))
      const texts = seen.map((one) => {
        const range = document.createRange()
        range.selectNodeContents(one)
        const { x, y, width, height } = range.getBoundingClientRect()
        return {
          what: one.className || one.tagName,
          color: getComputedStyle(one).color,
          x,
          y,
          width,
          height,
        }
      })
      // What has the visibility "hidden" would lose the focus.
      for (const one of all) one.style.opacity = '0'
      return texts
    },
    [
      variablesOf(palette),
      moment === 'splash'
        ? '.splash-name'
        : 'h1, .pitch, .subscribe-invitation, .subscribe-row, .subscribe-status, .footer a',
    ] as const,
  )
  const { width, height, data } = await readPng(await page.screenshot())
  let worst: { what: string; ratio: number } | undefined
  for (const text of texts) {
    const colour = hexOf(text.color.match(/\d+/g)?.map(Number) ?? [])
    const [left, right] = [text.x, text.x + text.width].map((x) => Math.round(x * SCALE))
    const [top, bottom] = [text.y, text.y + text.height].map((y) => Math.round(y * SCALE))
    const behind = new Set<string>()
    for (let y = Math.max(0, top ?? 0); y < Math.min(height, bottom ?? 0); y += 1)
      for (let x = Math.max(0, left ?? 0); x < Math.min(width, right ?? 0); x += 1) {
        const at = (y * width + x) * PARTS
        behind.add(hexOf(data.subarray(at, at + 3)))
      }
    for (const one of behind) {
      const ratio = contrast(colour, one)
      if (!worst || ratio < worst.ratio) worst = { what: text.what, ratio }
    }
  }
  return worst
}

const hexOf = (parts: ArrayLike<number>) =>
  `#${Buffer.from(Array.from(parts).slice(0, 3)).toString('hex')}`
