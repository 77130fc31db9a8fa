import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { AA, contrast, luminance } from '../../src/shared/colour.ts'
import { variablesOf } from '../../src/shared/look-style.ts'
import { groundsOf } from '../../src/shared/palette.ts'
import type { Product } from '../../src/shared/product.ts'
import type { SceneName } from '../../src/shared/scene.ts'
import { readSceneFile, sceneFolder } from '../build/scene.ts'
import { isSeen, PARTS, type Picture, readPng } from '../chromium/png.ts'
import { endSplash, LENGTH, openSplash, showAt } from '../chromium/splash-time.ts'
import levels from './closeness.json' with { type: 'json' }
import { SCENE_URL, type ScenePages } from './scene-pages.ts'

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
  /** On one ground and in one window of each kind, and the splash only as it usually moves. */
  readonly isGlance?: boolean
}

/**
 * Closely by twenty accents around the wheel of hues, strong and pale, and names of one and of forty letters;
 * shortly as the torture has time for; at a glance as `npm test` has.
 */
export const { CLOSELY, SHORTLY, AT_A_GLANCE } = levels satisfies Record<string, Closeness>

const [PAPER, NIGHT] = ['#fbf5ea', '#17120c'] as const

type Window = readonly [width: number, height: number]
const inWindow = ([width, height]: Window) => ({ viewport: { width, height } })

/** Opens the splash in a window of its own. @returns what the look at it finds. */
type Meet = (
  look: (page: Page) => Promise<string[]>,
  options?: BrowserContextOptions,
  own?: Partial<Product>,
) => Promise<string[]>

/**
 * Looks at a scene in a browser: what no reading of its files can tell.
 *
 * @returns one sentence for each way in which it breaks the contract: docs/scenes.md.
 */
export async function lookAtScene(
  browser: Browser,
  pages: ScenePages,
  scene: SceneName,
  closeness: Closeness,
): Promise<string[]> {
  const { accents, isGlance = false } = closeness
  const meet: Meet = async (look, options = {}, own = {}) => {
    const given = { scene, look: { ground: PAPER }, links: { Imprint: '/imprint' }, ...own }
    const page = await pages.open(browser, given, options)
    await openSplash(page, SCENE_URL)
    return look(page).finally(() => page.close())
  }
  const faults = await meet(
    async (page) => [...(await splashFaults(page, meet, closeness)), ...(await afterwards(page))],
    inWindow([640, 400]),
  )
  const named = isGlance ? [] : namedWindows(readSceneFile(sceneFolder(scene), 'style'))
  for (const ground of isGlance ? [PAPER] : [PAPER, NIGHT])
    for (const window of [...TEXT_WINDOWS.slice(0, isGlance ? 1 : undefined), ...named])
      faults.push(
        ...(await meet(
          (page) => pageFaults(page, ground, accents),
          { ...inWindow(window), reducedMotion: 'reduce', deviceScaleFactor: SCALE },
          { look: { ground } },
        )),
      )
  return faults
}

async function splashFaults(
  page: Page,
  meet: Meet,
  { everyMs, names, isGlance }: Closeness,
): Promise<string[]> {
  if ((await page.locator('#splash').count()) === 0) return []
  const quiet = await page.evaluate(quietMoment)
  const faults = await page.evaluate(clockFaults, LENGTH)
  if (!(quiet > 0 && quiet < LENGTH - 500))
    return [...faults, `its quiet moment is at ${quiet} ms; it must be within the splash`]
  const first = await showAt(page, quiet + 10)
  if (!(await isSame(first, await showAt(page, quiet + 250))))
    faults.push('something moves in its quiet moment, in the 250 ms after it')
  for (const [language, ...window] of isGlance ? NAMED.slice(0, 1) : NAMED)
    for (const name of names) {
      const options = { ...inWindow(window), reducedMotion: 'reduce' } as const
      const look = (page: Page) => nameFaults(page, { language, name })
      faults.push(...(await meet(look, options, { name, language })))
    }
  if (isGlance) return faults

  for (const ground of [PAPER, NIGHT]) {
    const look = (page: Page) => flashes(page, everyMs, ground)
    faults.push(...(await meet(look, inWindow([320, 200]), { look: { ground } })))
  }
  // Forced colours would leave a scene of empty boxes, so the gate keeps its own.
  const own = await showAt(page, quiet)
  const inForcedColours = async (page: Page) =>
    (await isSame(own, await showAt(page, quiet)))
      ? []
      : ['looks different where the system forces colours']
  faults.push(...(await meet(inForcedColours, { ...inWindow([640, 400]), forcedColors: 'active' })))
  const withoutMotion = async (page: Page) =>
    (await isSame(await showAt(page, 0), await showAt(page, LENGTH - 10)))
      ? []
      : ['moves for a visitor who wants no motion']
  return [...faults, ...(await meet(withoutMotion, { reducedMotion: 'reduce' }))]
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

/**
 * No more than three flashes in any second (WCAG 2.3.1): a flash is a change of relative luminance by
 * a tenth and back, the darker one below 0.8. Stricter than the rule, which allows them in small areas.
 */
async function flashes(page: Page, everyMs: number, ground: string): Promise<string[]> {
  const frames: number[][] = []
  for (let time = 0; time < LENGTH; time += everyMs)
    frames.push(luminances(await readPng(await showAt(page, time))))
  const most = Math.max(
    ...(frames[0] ?? []).map((_, cell) =>
      mostFlashes(
        frames.map((frame) => frame[cell] ?? 0),
        1000 / everyMs,
      ),
    ),
  )
  return most > 3 ? [`flashes ${most} times in a second on ${ground}, three are allowed`] : []
}

/** How bright each part of a picture is: of a grid of 8 by 5. */
function luminances(picture: Picture): number[] {
  const [width, height] = [picture.width / 8, picture.height / 5]
  return Array.from({ length: 40 }, (_, cell) => {
    const box = { x: (cell % 8) * width, y: Math.floor(cell / 8) * height, width, height }
    const all = coloursIn(picture, box, 4).map(luminance)
    return all.reduce((sum, one) => sum + one, 0) / all.length
  })
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The colours of a part of a picture, as `#fbf5ea`. @param every so many pixels. */
function coloursIn({ width, height, data }: Picture, box: Box, every = 1): string[] {
  const colours: string[] = []
  const [right, bottom] = [Math.round(box.x + box.width), Math.round(box.y + box.height)]
  for (let y = Math.max(0, Math.round(box.y)); y < Math.min(height, bottom); y += every)
    for (let x = Math.max(0, Math.round(box.x)); x < Math.min(width, right); x += every) {
      const at = (y * width + x) * PARTS
      colours.push(hexOf(data.subarray(at, at + 3)))
    }
  return colours
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

/** From either side on the smallest screen, on a low one, and on one at twice the size. */
const NAMED = (['en', 'ar'] as const).flatMap((language) => [
  [language, 320, 568] as const,
  [language, 800, 360] as const,
  [language, 640, 400] as const,
])

/** Whether the name is whole. */
async function nameFaults(page: Page, { language, name }: Pick<Product, 'language' | 'name'>) {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const box = await page.locator('.splash-name').boundingBox()
  const isWhole =
    !box || (box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height)
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  const where = `at ${width} x ${height}, ${language === 'ar' ? 'right to left, ' : ''}with "${name}"`
  return [
    ...(isWhole ? [] : [`the name leaves the screen ${where}`]),
    ...(isWide ? [`the page is wider than the screen ${where}`] : []),
  ]
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
  await endSplash(page)
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

/** In which text is measured. */
const TEXT_WINDOWS: readonly Window[] = [
  [390, 760],
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

/** Once the splash is over. */
const MOMENTS = ['idle', 'focus', 'success'] as const
type Moment = (typeof MOMENTS)[number]

/**
 * Whether text can be read on what the scene draws behind it, before and after a sign-up.
 *
 * @param accents with which text is measured.
 */
async function pageFaults(page: Page, ground: string, accents: readonly string[]) {
  const faults = await contrasts(page, '.splash-name', ground, accents)
  await endSplash(page)
  for (const moment of MOMENTS) {
    await page.evaluate(reach, moment)
    faults.push(...(await contrasts(page, PAGE_TEXTS, ground, accents)))
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

/** What is behind text is seen as well in half of the pixels. */
const SCALE = 0.5

const PAGE_TEXTS = 'h1, .pitch, .subscribe-offer, .subscribe-row, .subscribe-status, .footer a'

/** Text on what the scene draws behind it: AA, with each accent. @param texts their selector. */
async function contrasts(page: Page, texts: string, ground: string, accents: readonly string[]) {
  const faults: string[] = []
  for (const accent of accents) {
    const [{ palette }] = groundsOf({ accent, look: { ground } })
    await page.evaluate((colours) => {
      for (const [name, value] of Object.entries(colours))
        document.documentElement.style.setProperty(name, value)
    }, variablesOf(palette))
    const seen = await page.locator(texts).evaluateAll(takeAway)
    const picture = await readPng(await page.screenshot())
    await page.locator(texts).evaluateAll((all) => {
      for (const one of all) (one as HTMLElement).style.opacity = ''
    })
    const ratios = seen.flatMap(({ what, colour, box }) => {
      const { x, y, width, height } = box
      const scaled = { x: x * SCALE, y: y * SCALE, width: width * SCALE, height: height * SCALE }
      const behind = new Set(coloursIn(picture, scaled))
      return [...behind].map((one) => ({ what, ratio: contrast(hexOf(colour), one) }))
    })
    const [worst] = ratios.sort((one, other) => one.ratio - other.ratio)
    if (worst && worst.ratio < AA)
      faults.push(
        `${worst.what} has a contrast of ${worst.ratio.toFixed(2)} on ${ground} with ${accent} at ${page.viewportSize()?.width} px`,
      )
  }
  return faults
}

/** Takes texts away, so that what is behind them can be seen. Runs in the page. */
function takeAway(texts: (HTMLElement | SVGElement)[]) {
  for (const one of texts) one.style.transition = 'none'
  // After a sign-up the form takes no eye any more.
  const seen = texts.filter((one) => one.checkVisibility({ opacityProperty: true }))
  const found = seen.map((one) => {
    const range = document.createRange()
    range.selectNodeContents(one)
    const { x, y, width, height } = range.getBoundingClientRect()
    const colour = getComputedStyle(one).color.match(/\d+/g)?.map(Number) ?? []
    const what = one.getAttribute('class') || one.tagName
    return { what, colour, box: { x, y, width, height } }
  })
  // What has the visibility "hidden" would lose the focus.
  for (const one of texts) one.style.opacity = '0'
  return found
}

const hexOf = (parts: ArrayLike<number>) =>
  `#${Buffer.from(Array.from(parts).slice(0, 3)).toString('hex')}`
