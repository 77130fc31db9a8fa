import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { isSeen, PARTS, readPng } from '../../scripts/chromium/png.ts'
import { AT_A_GLANCE, lookAtScene, SHORTLY } from '../../scripts/scenes/look-at-scene.ts'
import { openScenePages, SCENE_URL, type ScenePages } from '../../scripts/scenes/scene-pages.ts'
import { writeExampleScene } from '../fixtures/example-scene.ts'
import { products } from '../fixtures/products.ts'
import { expect, long, SERVER, test } from './fixtures.ts'
import { moveSplashTo, openSplashAt, SUBSCRIBE } from './page.ts'

/** A product with all that stands beside a scene. */
const withAll = {
  look: { ground: '#fbf5ea' },
  links: { Imprint: '/imprint' },
  opensAt: { at: '2036-03-06T10:00', zone: 'Europe/Berlin' },
  question: { ask: 'What do you read?', kind: 'choice', choices: ['Novels', 'Poetry'] },
  share: true,
} as const

const asked = { ask: 'What do you read?', kind: 'text' } as const
const lowPhone = { viewport: { width: 320, height: 568 }, reducedMotion: 'reduce' } as const

test.describe('the scenes', SERVER, () => {
  let folder: string
  let pages: ScenePages
  test.describe.configure({ mode: 'default' })
  test.beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'opening-bell-scene-'))
    pages = await openScenePages()
  })
  test.afterAll(async () => {
    await pages.close()
    rmSync(folder, { recursive: true })
  })

  for (const scene of ['candlesticks', 'horizon', 'mark'] as const)
    long(`${scene} keeps the contract in a browser`, async ({ browser }) => {
      expect(await lookAtScene(browser, pages, scene, SHORTLY)).toEqual([])
    })

  // How the splash of candlesticks looks has tests of its own.
  for (const scene of ['horizon', 'mark'] as const)
    test(`${scene} keeps the contract at a glance`, async ({ browser }) => {
      expect(await lookAtScene(browser, pages, scene, AT_A_GLANCE)).toEqual([])
    })

  test('what is wrong is seen at a glance as well', async ({ browser }) => {
    const broken = writeExampleScene(join(folder, 'glance'), {
      'scene.css': (css) =>
        css
          .replace('62cqh', '96cqh')
          .replace('vanish 0.25s 4.25s', 'vanish 0.25s 5.25s')
          .concat(BEHIND_TEXT),
    })
    expect(await lookAtScene(browser, pages, broken, AT_A_GLANCE)).toEqual([
      expect.stringMatching(/^"vanish" ends 5500 ms after the first paint$/),
      expect.stringMatching(/^the name leaves the screen at 320 x 568/),
      expect.stringMatching(/^\S+ has a contrast of /),
    ])
  })

  long(
    'what a scene hides at a width that only it names, or from who types, is seen',
    async ({ browser }) => {
      const dark = '.backdrop { background: var(--text); margin-top: -100vh'
      const hides = {
        width: [`@media (599px < width < 601px) { .page:has(main) ${dark} } }`, / at 600 px/],
        typing: [`.page:has(input:focus) ${dark} }`, / has a contrast of 1\.00 /],
      } as const
      for (const [name, [rule, expected]] of Object.entries(hides)) {
        const scene = writeExampleScene(join(folder, name), { 'scene.css': (css) => css + rule })
        const found = await lookAtScene(browser, pages, scene, SHORTLY)
        expect(found, name).toContainEqual(expect.stringMatching(expected))
      }
    },
  )

  long("what is wrong with a scene of one's own is seen, and nothing else", async ({ browser }) => {
    const broken = writeExampleScene(folder, {
      'scene.css': (css) =>
        css
          .replace('62cqh', '96cqh')
          .replace('arrive 1.6s 0.3s', 'blink 1s 0.3s')
          .replace('vanish 0.25s 4.25s', 'vanish 0.25s 5.25s')
          .concat(BLINK, BEHIND_TEXT),
    })
    let faults = await lookAtScene(browser, pages, broken, SHORTLY)
    for (const expected of [
      /^"vanish" ends 5500 ms after the first paint$/,
      /^flashes \d+ times in a second/,
      /^the name leaves the screen at 320 x 568/,
      /^the name leaves the screen at /,
      /^\S+ has a contrast of [\d.]+ on #fbf5ea with #e5484d/,
      /^\S+ has a contrast of /,
    ]) {
      const rest = faults.filter((fault) => !expected.test(fault))
      expect(rest.length, String(expected)).toBeLessThan(faults.length)
      faults = rest
    }
    expect(faults).toEqual([])
  })

  long('answers a sign-up once, and then is still', async ({ browser }) => {
    for (const scene of ['candlesticks', 'horizon', 'mark'] as const)
      for (const reducedMotion of ['no-preference', 'reduce'] as const) {
        const page = await pages.open(browser, { scene }, { reducedMotion })
        await openPast(page)
        const before = await page.screenshot({ animations: 'disabled' })
        await page.locator('form').evaluate((form) => form.setAttribute('data-status', 'success'))
        const running = await page.evaluate(() =>
          document
            .getAnimations()
            .filter((one) => (one.effect as KeyframeEffect).target?.closest('.backdrop'))
            .map((one) => Number(one.effect?.getComputedTiming().endTime)),
        )
        if (reducedMotion === 'reduce') expect(running, scene).toEqual([])
        else expect(Math.max(...running), scene).toBeLessThan(3000)
        const after = await page.screenshot({ animations: 'disabled' })
        expect(after.equals(before), `${scene}, ${reducedMotion}`).toBe(false)
        await page.close()
      }
  })

  long(
    'mark draws the logo once more, which answers on the ground of its visitor',
    async ({ browser }) => {
      const drawings = 'tests/fixtures/products'
      const logo = {
        light: `${drawings}/warraq-paper.svg`,
        dark: `${drawings}/warraq.svg`,
      } as const
      const look = { light: '#fbf5ea', dark: '#17120c' }
      for (const [colorScheme, file] of Object.entries(logo) as ['light' | 'dark', string][]) {
        const page = await pages.open(browser, { scene: 'mark', look, logo }, { colorScheme })
        await openPast(page)
        const perched = await page
          .locator('.backdrop i')
          .evaluate((one) => getComputedStyle(one, '::after').backgroundImage)
        expect(perched).toBe(`url("${SCENE_URL}${file}")`)
        await page.close()
      }
    },
  )

  test('a scene has its least room on every phone, and is whole there', async ({ browser }) => {
    const more = { look: { ground: '#fbf5ea' }, links: { Imprint: '/imprint' } } as const
    for (const scene of ['candlesticks', 'horizon', 'mark'] as const) {
      const page = await pages.open(browser, { scene, ...more })
      await openPast(page)
      for (const [width, height] of [
        [320, 568],
        [390, 664],
      ] as const) {
        await page.setViewportSize({ width, height })
        const where = `${scene} at ${width} x ${height}`
        const { room, scrolls, foot, side, large, line } = await page
          .locator('.backdrop')
          .evaluate((one) => {
            const drawn = one.querySelector('i') as Element
            const { width, left, marginLeft } = getComputedStyle(drawn, '::after')
            const size = Number.parseFloat(width)
            const from = Number.parseFloat(left) + Number.parseFloat(marginLeft)
            const start = drawn.getBoundingClientRect().left + from
            return {
              room: one.getBoundingClientRect().height,
              scrolls: document.documentElement.scrollHeight - innerHeight,
              foot: document.querySelector('.footer')?.clientHeight ?? 0,
              side: Math.min(start, innerWidth - start - size),
              large: size,
              line: drawn.getBoundingClientRect().bottom,
            }
          })
        expect(room, where).toBeGreaterThanOrEqual(96)
        // On the lowest, the foot begins below the window.
        expect(scrolls, where).toBe(height < 600 ? foot : 0)
        if (scene === 'candlesticks') continue
        expect(side, where).toBeGreaterThanOrEqual(16)
        expect(large, where).toBeGreaterThanOrEqual(70)
        // At the window's very edge, a line would be a splinter.
        expect(line, where).toBeLessThanOrEqual(height - 16)
      }
      await page.close()
    }
  })

  test('on the lowest phones a scene has its least room below a message, in the window, and nothing moves for that', async ({
    browser,
  }) => {
    const pitch =
      'Ein Sauerteigbrot die Woche, gebacken im Viertel und samstags früh an deiner Tür.'
    const german = { pitch, language: 'de', look: { ground: '#fbf5ea' } } as const
    for (const scene of ['candlesticks', 'horizon', 'mark'] as const)
      for (const own of [{ scene }, { scene, ...german }]) {
        const page = await pages.open(browser, own, { reducedMotion: 'reduce' })
        await page.route(SUBSCRIBE, (route) => route.fulfill({ status: 500, json: {} }))
        await openPast(page)
        await expect(page.locator('#root')).toHaveAttribute('data-script', 'runs')
        const sizes = [
          [320, 568],
          [308, 568],
          [360, 640],
          [375, 553],
        ] as const
        const before = []
        for (const [width, height] of sizes) {
          await page.setViewportSize({ width, height })
          before.push(await drawnHeight(page))
        }
        await page.locator('#email').fill('ada@example.com')
        await page.locator('.subscribe [type=submit]').click()
        const message = page.locator('#status > span')
        await expect(message).toBeVisible()
        await page.evaluate(() => (document.activeElement as HTMLElement).blur())
        for (const [at, [width, height]] of sizes.entries()) {
          const where = `${scene} at ${width} x ${height}`
          await page.setViewportSize({ width, height })
          const after = await drawnHeight(page)
          expect(after, where).toEqual(before[at])
          expect(after.room, where).toBeGreaterThanOrEqual(96)
          expect(after.foot, where).toBeLessThanOrEqual(height)
          const { y = 0, height: high = 0 } = (await message.boundingBox()) ?? {}
          const below = { x: 0, y, width, height: height - y }
          const drawn = await drawnRows(page, below, own.scene)
          expect(drawn[0] ?? high + 12, where).toBeGreaterThanOrEqual(high + 12)
        }
        await page.close()
      }
  })

  test('beside a date, a question and links a scene has its room in the first window, whole, and no row is cut', async ({
    browser,
  }) => {
    for (const scene of ['candlesticks', 'horizon', 'mark'] as const) {
      const page = await pages.open(browser, { ...withAll, scene }, { reducedMotion: 'reduce' })
      for (const [width, height] of [
        [320, 568],
        [390, 664],
        [390, 844],
        [768, 1024],
        [1240, 740],
      ] as const) {
        await page.setViewportSize({ width, height })
        await openPast(page)
        await offerDate(page)
        const before = await roomOf(page)
        await offerMore(page, ['Novels', 'Poetry', 'History', 'Travels'])
        for (const { room, scrolls, cut } of [before, await roomOf(page)]) {
          const where = `${scene} at ${width} x ${height}`
          expect(room, where).toBeGreaterThanOrEqual(96)
          // For the foot and the date, never for a few pixels.
          expect(scrolls === 0 || scrolls > 40, `${where} scrolls by ${scrolls}`).toBe(true)
          expect(cut, where).toEqual([])
        }
      }
      await page.close()
    }
  })

  test('a logo grows by a quarter in its answer at the most, is never smaller, and keeps its distance from what is said', async ({
    browser,
  }) => {
    const own = { scene: 'mark', look: { ground: '#fbf5ea' }, share: true } as const
    const page = await pages.open(browser, own, { reducedMotion: 'reduce' })
    for (const [width, height] of [
      [320, 568],
      [375, 553],
      [390, 664],
      [390, 844],
    ] as const)
      for (const isOpen of [false, true]) {
        const where = `${isOpen ? 'open, ' : ''}${width} x ${height}`
        await page.setViewportSize({ width, height })
        await openPast(page)
        if (isOpen)
          await page.locator('form').evaluate((form) => {
            form.classList.add('quiet')
            form.insertAdjacentHTML('beforebegin', '<a class="go" href="/">Open</a>')
          })
        const before = await drawnHeight(page)
        await offerMore(page, ['Novels', 'Poetry', 'History', 'Travels'])
        const after = await drawnHeight(page)
        expect(after.drawn, where).toBeGreaterThanOrEqual(before.drawn - 1)
        expect(after.drawn, where).toBeLessThanOrEqual(before.drawn * 1.25 + 1)
        const links = await page.locator('.share a').boundingBox()
        expect(
          after.foot - after.drawn - (links?.y ?? 0) - (links?.height ?? 0),
          where,
        ).toBeGreaterThan(23)
      }
    await page.close()
  })

  test('where more is asked after a sign-up, a scene stays until it answers, and its light ends in the page', async ({
    browser,
  }) => {
    for (const scene of ['candlesticks', 'horizon', 'mark'] as const) {
      const page = await pages.open(browser, { scene, look: { ground: '#fbf5ea' }, share: true })
      await page.setViewportSize({ width: 390, height: 664 })
      await openPast(page)
      const { drawn: before } = await drawnHeight(page)
      const seen = page.locator('.backdrop').evaluate(async (one) => {
        const scaleNow = () =>
          Number(getComputedStyle(one.querySelector('i') as Element, '::after').scale) || 1
        const before = scaleNow()
        const least = { opacity: 1, larger: 1 }
        const success = () => document.querySelector('[data-status="success"]')
        while (!success() || document.getAnimations().length > 0) {
          await new Promise(requestAnimationFrame)
          least.opacity = Math.min(least.opacity, Number(getComputedStyle(one).opacity))
          least.larger = Math.min(least.larger, scaleNow() / before)
        }
        return least
      })
      await offerMore(page, ['Novels', 'Poetry', 'History', 'Travels'])
      const least = await seen
      expect(least.opacity, scene).toBe(1)
      expect(least.larger, scene).toBeGreaterThan(0.99)
      const { drawn } = await drawnHeight(page)
      expect(drawn, scene).toBeGreaterThanOrEqual(before - 1)
      // Its chart goes on to the edge.
      if (scene !== 'candlesticks') {
        // Beside it a scrollbar may have a place.
        const { width } = (await page.locator('.page').boundingBox()) ?? { width: 0 }
        const edge = { x: width - 1, y: 0, width: 1, height: 640 }
        const { data } = await readPng(await page.screenshot({ clip: edge }))
        expect(data.every((part, at) => Math.abs(part - (data[at % PARTS] ?? 0)) < 3)).toBe(true)
      }
      await page.close()
    }
  })

  test('in a window lower than any phone, and in one that is enlarged, there is no piece of a scene', async ({
    browser,
  }) => {
    for (const scene of ['candlesticks', 'horizon', 'mark'] as const) {
      const page = await pages.open(browser, { scene }, { viewport: { width: 640, height: 400 } })
      await openPast(page)
      await expect(page.locator('.backdrop'), scene).toBeHidden()
      await page.close()
    }
  })

  test('a chart keeps its height for a sign-up, and a sun rises, on a tablet and a desk', async ({
    browser,
  }) => {
    for (const [width, height] of [
      [768, 1024],
      [1440, 900],
    ] as const) {
      const options = { viewport: { width, height }, reducedMotion: 'reduce' } as const
      const chart = await pages.open(browser, { ...withAll, scene: 'candlesticks' }, options)
      const sun = await pages.open(browser, { ...withAll, scene: 'horizon' }, options)
      const chartBox = () =>
        chart.locator('.backdrop').evaluate((one) => ({
          height: Number.parseFloat(getComputedStyle(one, '::before').height),
          foot: one.getBoundingClientRect().bottom,
        }))
      for (const page of [chart, sun]) {
        await openPast(page)
        await offerDate(page)
      }
      const footOfSun = () =>
        sun.locator('.backdrop').evaluate((one) => one.getBoundingClientRect().bottom)
      const [before, low, horizon] = [await chartBox(), await sunHeight(sun), await footOfSun()]
      for (const page of [chart, sun]) await offerMore(page, ['Novels', 'Poetry'])
      const after = await chartBox()
      expect(after.foot, `${width}`).toBe(before.foot)
      expect(after.height, `${width}`).toBeGreaterThanOrEqual(before.height)
      expect(after.height, `${width}`).toBeLessThan(before.height * 1.05)
      expect(await sunHeight(sun), `${width}`).toBeGreaterThan(low + 20)
      expect(await footOfSun(), `${width}`).toBe(horizon)
      await Promise.all([chart.close(), sun.close()])
    }
  })

  test('the logo of mark rises top first, and on the page its glow comes no earlier than it', async ({
    browser,
  }) => {
    const page = await pages.open(browser, { scene: 'mark' })
    await openSplashAt(page, SCENE_URL, 700)
    const top = async (of: string) => (await page.locator(of).boundingBox())?.y ?? 0
    expect(await top('.mark-logo'), 'on its way').toBeGreaterThan((await top('.mark-edge')) + 5)
    await moveSplashTo(page, 1500)
    expect(await top('.mark-logo'), 'there').toBeCloseTo(await top('.mark-edge'), 0)
    await moveSplashTo(page, 4990)
    const shown = await page.evaluate(() =>
      ['.backdrop', '.backdrop i'].map(
        (of) => getComputedStyle(document.querySelector(of) as Element, '::before').opacity,
      ),
    )
    expect(shown, 'glow and logo').toEqual(['0', '0'])
    await page.close()
  })

  test('the line of mark lands where the backdrop has it, above the links', async ({ browser }) => {
    const links = { Imprint: '/imprint' }
    const many = { ...links, Privacy: '/privacy', Terms: '/terms', 'How to reach us': '/contact' }
    for (const [own, viewport] of [
      [{}, { width: 1280, height: 720 }],
      [{ links }, { width: 1280, height: 720 }],
      // In two rows, and on a page longer than the window.
      [{ links: many }, { width: 360, height: 800 }],
      [{ links: many }, { width: 320, height: 568 }],
    ] as const) {
      const page = await pages.open(browser, { scene: 'mark', ...own }, { viewport })
      await openSplashAt(page, SCENE_URL, 4699)
      const line = await page.locator('.mark-line').boundingBox()
      const perch = await page.locator('.backdrop i').boundingBox()
      const landed = (line?.y ?? 0) + (line?.height ?? 0)
      expect(landed).toBeCloseTo((perch?.y ?? 0) + (perch?.height ?? 0), 0)
      expect(perch?.height, 'room for the line').toBeGreaterThanOrEqual(1)
      await page.close()
    }
    // Nothing measures that without script.
    const page = await pages.open(
      browser,
      { scene: 'mark', links: many },
      { javaScriptEnabled: false },
    )
    await openSplashAt(page, SCENE_URL, 4699)
    await expect(page.locator('.mark-line')).toHaveCSS('opacity', '0')
    await page.close()
  })

  test('the candlestick lands on the logo beside a name of two lines, in the green of the logo', async ({
    browser,
  }) => {
    const own = { name: 'Northern Lights Portfolio Terminal Group', look: { ground: '#fbf5ea' } }
    const viewport = { width: 390, height: 664 }
    const page = await pages.open(browser, { scene: 'candlesticks', ...own }, { viewport })
    await openSplashAt(page, SCENE_URL, 4990)
    const body = page.locator('.green .body')
    const [logo, landed] = [
      await page.locator('.brand img').boundingBox(),
      await body.boundingBox(),
    ]
    // The body in the logo, as its file has it: 13 of 48 below the top.
    const top = (logo?.y ?? 0) + ((logo?.height ?? 0) * 13) / 48
    expect(Math.abs((landed?.y ?? 0) - top)).toBeLessThan(0.5)
    await expect(body).toHaveCSS('background-color', 'rgb(46, 229, 157)')
    await page.close()
  })

  test('the sun of horizon goes on from where it is when the splash is removed', async ({
    browser,
  }) => {
    const page = await pages.open(browser, { scene: 'horizon' })
    await openSplashAt(page, SCENE_URL, 4999)
    const place = () =>
      page
        .locator('.backdrop i')
        .evaluate((one) => getComputedStyle(one, '::after').translate.split(' ').at(-1))
    const before = await place()
    await page.evaluate(() => {
      for (const animation of document.getAnimations())
        if ((animation as CSSAnimation).animationName === 'splash-clock') animation.finish()
    })
    await expect(page.locator('#splash')).toHaveCount(0)
    expect(before).not.toBe('0px')
    expect(await place()).toBe(before)
    await page.close()
  })

  test('what is offered after the thank-you keeps clear of the line of a scene', async ({
    browser,
  }) => {
    const own = { scene: 'mark', look: { ground: '#fbf5ea' }, share: true } as const
    for (const [width, least] of [
      [320, 20],
      [1440, 80],
    ] as const) {
      const viewport = { width, height: 500 }
      const page = await pages.open(browser, own, { viewport, reducedMotion: 'reduce' })
      await openPast(page)
      const between = await page.locator('main').evaluate((main) => {
        main.insertAdjacentHTML(
          'beforeend',
          '<div class="share more"><a href="/">Copy link</a></div>',
        )
        const foot = main.nextElementSibling?.getBoundingClientRect().bottom ?? 0
        return foot - (main.querySelector('.share a')?.getBoundingClientRect().bottom ?? 0)
      })
      expect(between).toBeGreaterThan(least)
      await page.close()
    }
  })

  test('what makes room for a question goes where it stood, and nothing that is seen well jumps', async ({
    browser,
  }) => {
    const { opensAt: _, ...more } = withAll
    const own = { ...more, scene: 'mark' } as const
    for (const viewport of [
      { width: 320, height: 568 },
      { width: 390, height: 664 },
    ]) {
      const page = await pages.open(browser, own, { viewport })
      await openPast(page)
      const parts = ['h1', '.pitch', '#offer', '.subscribe-row', '.backdrop']
      const lookAt = (ms: number) =>
        page.evaluate(
          ({ ms, parts }) => {
            for (const animation of document.getAnimations()) {
              animation.pause()
              animation.currentTime = ms
            }
            return parts.flatMap((part) => {
              const one = document.querySelector(part) as Element
              const { y, height, bottom } = one.getBoundingClientRect()
              if (Number(getComputedStyle(one).opacity) < 0.42) return []
              // A scene stands on its foot, and its box is not seen.
              return [part === '.backdrop' ? { part, y: bottom, height: 0 } : { part, y, height }]
            })
          },
          { ms, parts },
        )
      const before = await lookAt(10_000)
      expect(before).toHaveLength(parts.length)
      await offerMore(page, ['Novels', 'Poetry'])
      const places = (all: typeof before) =>
        all.map(({ part, y, height }) => [part, y, height].join())
      expect(places(await lookAt(60))).toEqual(places(before))
      for (const { part, y, height } of await lookAt(210))
        expect(places(before), part).toContain([part, y, height].join())
      await page.close()
    }
  })

  test('the price line that answers stays below the thank-you, however long the name, and on the open page', async ({
    browser,
  }) => {
    for (const name of ['Meridian', 'Northern Lights Portfolio Terminal Group']) {
      const page = await pages.open(browser, { name }, { reducedMotion: 'reduce' })
      for (const [width, height] of [
        [320, 568],
        [390, 664],
      ] as const) {
        await page.setViewportSize({ width, height })
        for (const isOpen of [false, true]) {
          await openPast(page)
          const between = await page.locator('main').evaluate((main, isOpen) => {
            const form = main.querySelector('form') as Element
            if (isOpen) {
              form.classList.add('quiet')
              form.insertAdjacentHTML('beforebegin', '<a class="go" href="/">Open</a>')
            }
            form.setAttribute('data-status', 'success')
            const status = form.querySelector('#status') as Element
            const said = ['Thank you!', "We'll be in touch."]
            const sentences = said.map((one) => `<span class="sentence">${one}</span>`).join(' ')
            status.innerHTML = `<span><svg class="icon"></svg><span>${sentences}</span></span>`
            const { bottom } = (status.firstElementChild as Element).getBoundingClientRect()
            const line = document.querySelector('.backdrop i') as Element
            return line.getBoundingClientRect().top - bottom
          }, isOpen)
          expect(between, `${name} at ${width}`).toBeGreaterThan(8)
        }
      }
      await page.close()
    }
  })

  test('no scene reaches into a question and links on a phone or a tablet', async ({ browser }) => {
    const own = {
      look: { ground: '#fbf5ea' },
      links: { Imprint: '/imprint' },
      opensAt: { at: '2036-03-06T10:00', zone: 'Europe/Berlin' },
      share: true,
    } as const
    for (const scene of ['horizon', 'candlesticks'] as const) {
      const page = await pages.open(browser, { ...own, scene }, { reducedMotion: 'reduce' })
      for (const [width, height] of [
        [390, 664],
        [600, 1024],
        [820, 1180],
      ] as const) {
        await page.setViewportSize({ width, height })
        await openPast(page)
        await offerMore(page, ['Novels', 'Poetry'])
        const share = page.locator('.share')
        const y = await share.evaluate((one) => one.getBoundingClientRect().bottom + scrollY)
        const clip = { x: 0, y: Math.ceil(y) + 1, width, height: 1 }
        const { data } = await readPng(await page.screenshot({ clip, fullPage: true }))
        const greens = Array.from({ length: width }, (_, x) => data[x * PARTS + 1] ?? 0)
        expect(Math.min(...greens), `${scene} at ${width} x ${height}`).toBeGreaterThan(215)
      }
      await page.close()
    }
  })

  test('the scene stays at its answer for who types one to the question', async ({ browser }) => {
    const own = { scene: 'horizon', look: { ground: '#fbf5ea' }, share: true } as const
    const page = await pages.open(browser, own, { reducedMotion: 'reduce' })
    await openPast(page)
    await offerMore(page, [])
    const risen = () =>
      page.locator('.backdrop').evaluate((one) => getComputedStyle(one).getPropertyValue('--risen'))
    const before = await risen()
    await page.getByLabel('What do you read?').focus()
    expect(await risen()).toBe(before)
    await page.close()
  })

  test('the button of a question is no second filled one, and on a low phone the open page keeps its own clear of the heading', async ({
    browser,
  }) => {
    const page = await pages.open(browser, { ...withAll, question: asked }, lowPhone)
    await page.addInitScript(() =>
      addEventListener('DOMContentLoaded', () =>
        document.getElementById('root')?.setAttribute('data-open', '/'),
      ),
    )
    await openPast(page)
    await offerMore(page, [])
    const send = page.getByRole('button', { name: 'Send' })
    const fill = (one: Element) => getComputedStyle(one).backgroundColor
    const open = page.getByRole('link', { name: /^Open / })
    expect(await send.evaluate(fill)).not.toBe(await open.evaluate(fill))
    expect(await send.evaluate(fill)).toBe(
      await page.getByLabel('What do you read?').evaluate(fill),
    )
    const heading = await page.getByRole('heading').boundingBox()
    const below = (heading?.y ?? 0) + (heading?.height ?? 0)
    expect(((await open.boundingBox())?.y ?? 0) - below).toBeGreaterThanOrEqual(18)
    await page.close()
  })

  test('a picture reaches across the page of a tablet, and its top is that of the heading on a desk', async ({
    browser,
  }) => {
    const picture = { file: 'docs/splash.webp', alt: 'A loaf' }
    const look = { ground: '#fbf5ea', picture }
    const page = await pages.open(browser, { scene: 'none', look }, { reducedMotion: 'reduce' })
    await page.route('**/splash.webp', (route) => route.fulfill({ path: picture.file }))
    await page.setViewportSize({ width: 768, height: 1024 })
    await openPast(page)
    const image = page.getByAltText(picture.alt)
    const boxOf = async (one: Locator) => (await one.boundingBox()) ?? { x: 0, y: 0, width: 0 }
    await expect.poll(async () => (await boxOf(image)).width).toBe(768 - 2 * 24)
    for (const [width, height] of [
      [1440, 900],
      [2560, 1440],
    ] as const) {
      await page.setViewportSize({ width, height })
      const heading = await boxOf(page.getByRole('heading'))
      expect((await boxOf(image)).y, `at ${width}`).toBeCloseTo(heading.y, 0)
    }
    await page.close()
  })

  test('the light stands on its line, however little room the text leaves', async ({ browser }) => {
    const own = {
      scene: 'horizon',
      look: { ground: '#fbf5ea' },
      links: { Imprint: '/imprint' },
      opensAt: { at: '2036-03-06T10:00', zone: 'Europe/Berlin' },
    } as const
    const page = await pages.open(browser, own)
    // None, some that is too little, and enough.
    for (const height of [640, 800, 1000]) {
      await page.setViewportSize({ width: 1280, height })
      await openPast(page)
      const foot = await page
        .locator('.backdrop i')
        .evaluate((one) => Math.round(one.getBoundingClientRect().bottom))
      const clip = { x: 640, y: foot - 8, width: 1, height: 12 }
      const { data } = await readPng(await page.screenshot({ clip, fullPage: true }))
      const rows = Array.from({ length: clip.height }, (_, y) => y)
      const drawn = rows.filter((y) => isSeen(data[y * PARTS + 2], data[2]))
      expect(drawn, `${height} px`).toEqual([7])
    }
    await page.close()
  })

  test('from right to left, the quiet line begins where its offer does', async ({ browser }) => {
    const { name, pitch, description } = products.warraq
    const own = { name, pitch, description, language: 'ar', scene: 'none' } as const
    const page = await pages.open(browser, own)
    await page.goto(SCENE_URL)
    await page.locator('form').evaluate((form) => form.classList.add('quiet'))
    const rightOf = (selector: string) =>
      page.locator(selector).evaluate((one) => one.getBoundingClientRect().right)
    expect(await rightOf('.subscribe-field .icon')).toBe(await rightOf('.subscribe-offer'))
    await expect(page.locator('#email')).toHaveCSS('text-align', 'right')
    await expect(page.locator('#email')).toHaveCSS('direction', 'ltr')
    await page.close()
  })

  test('without a splash, the page is there and can be used at once', async ({ browser }) => {
    const page = await pages.open(browser, { scene: 'none' })
    await page.goto(SCENE_URL)
    await expect(page.locator('#splash')).toHaveCount(0)
    await page.getByRole('textbox').fill('ada@example.com')
    await expect(page.locator('#root')).toHaveAttribute('data-script', 'runs')
    await expect(page.getByRole('textbox')).toHaveValue('ada@example.com')
    await page.close()
  })
})

const BEHIND_TEXT =
  '.ring { background: var(--text) } .page:has([data-status="success"]) .backdrop i { height: 70vh; scale: 1 }'
const BLINK =
  '@keyframes blink { 0%, 20%, 40%, 60%, 80% { opacity: 1; scale: 9 } 10%, 30%, 50%, 70%, 90% { opacity: 0 } }'

async function openPast(page: Page) {
  await page.goto(SCENE_URL)
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish()
  })
  await page.locator('#splash').waitFor({ state: 'detached' })
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map((one) => one.finished)))
}

/** The rows of a part of the page where its scene is drawn, counted from above. */
async function drawnRows(
  page: Page,
  clip: { x: number; y: number; width: number; height: number },
  scene: string,
) {
  // A glow is light, which may be behind words.
  const glow = scene === 'mark' ? '.backdrop::before' : '.backdrop i::before'
  const shot = async (hidden: string) =>
    readPng(
      await page.screenshot({ clip, animations: 'disabled', style: `${hidden} { opacity: 0 }` }),
    )
  const { data, width, height } = await shot(`#status, ${glow}`)
  const { data: empty } = await shot('#status, .page > .backdrop')
  const row = (y: number) => [y * width * PARTS, (y + 1) * width * PARTS] as const
  return Array.from({ length: height }, (_, y) => y).filter((y) => {
    const [from, to] = row(y)
    return !data
      .subarray(from, to)
      .every((part, at) => Math.abs(part - (empty[from + at] ?? 0)) < 6)
  })
}

/** The room of a scene, its foot, and how high that is which it draws there: a chart, a logo or the light. */
function drawnHeight(page: Page) {
  return page.locator('.backdrop').evaluate((one) => {
    const drawn = one.querySelector('i') as Element
    const chart = Number.parseFloat(getComputedStyle(one, '::before').height)
    const { height, scale } = getComputedStyle(drawn, '::after')
    const light = Number.parseFloat(height) * (Number(scale) || 1)
    const { height: room } = one.getBoundingClientRect()
    const { height: high, bottom } = drawn.getBoundingClientRect()
    const foot = bottom + scrollY
    // A scale has more digits than a screen.
    return { room, foot, drawn: Math.round((chart || Math.min(light, high)) * 8) / 8 }
  })
}

/** How much of the sun stands over its line, in pixels, where no button is above it. */
async function sunHeight(page: Page) {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const clip = { x: Math.round(width * (width < 960 ? 0.75 : 0.77)), y: 0, width: 1, height }
  const { data } = await readPng(await page.screenshot({ clip, animations: 'disabled' }))
  return Array.from({ length: height }, (_, y) => data[y * PARTS + 2] ?? 0).filter(
    (blue) => blue < 200,
  ).length
}

/** What is there after a sign-up, without one: a question, of choices or of a text, and a link. */
async function offerMore(page: Page, choices: readonly string[]) {
  await page.locator('main').evaluate((main, choices) => {
    const form = main.querySelector('form')
    form?.setAttribute('data-status', 'success')
    const buttons = choices.map((choice) => `<button>${choice}</button>`).join('')
    form?.insertAdjacentHTML(
      'afterend',
      `<form class="question more ${buttons ? '' : 'subscribe'}"><p>What do you read?</p>
      ${buttons ? `<div class="choices">${buttons}</div>` : '<input aria-label="What do you read?"><button type="submit">Send</button>'}</form>
      <div class="share more"><p>Pass it on</p><ul><li><a href="/">Copy link</a></li></ul></div>`,
    )
  }, choices)
}

/** When it opens, as the page of a product with a date has it. */
async function offerDate(page: Page) {
  await page.locator('main').evaluate((main) => {
    main.insertAdjacentHTML(
      'beforeend',
      `<div class="countdown"><p>Opens 6 Mar 2036, 10:00</p><p role="timer">
      <span>97<small>days</small></span><span>23<small>h</small></span></p></div>`,
    )
  })
}

/** How much of the scene is in the first window, by how much the page scrolls, and which row its edge cuts. */
function roomOf(page: Page) {
  return page.locator('.page').evaluate((one) => {
    const { top, bottom } = (one.querySelector('.backdrop') as Element).getBoundingClientRect()
    const rows = document.querySelectorAll('h1, p, .brand, .subscribe-row, .choices button, a')
    const cut = [...rows].filter((row) => {
      const { top, bottom, width } = row.getBoundingClientRect()
      const isShown = width > 1 && row.textContent && row.checkVisibility({ opacityProperty: true })
      return isShown && top < innerHeight - 1 && bottom > innerHeight + 1
    })
    return {
      room: Math.min(bottom, innerHeight) - top,
      scrolls: document.documentElement.scrollHeight - innerHeight,
      cut: cut.map((row) => row.className || row.textContent),
    }
  })
}
