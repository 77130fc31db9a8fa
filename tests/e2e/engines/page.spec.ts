import product from '../../../product.config.ts'
import { type RunningSite, startSite } from '../../fixtures/running-site.ts'
import { turnPage } from '../../fixtures/turn-page.ts'
import { FAILED, INVALID, NO_DATABASE, THANK_YOU } from '../page.ts'
import { candlesIn } from '../picture.ts'
import { expect, expectToSee, test } from './fixtures.ts'
import { look, type Seen } from './look.ts'
import { expectSplashToLast, holdSplash, moveSplashTo, openSplash } from './splash.ts'
import { glance, type Tab } from './tab.ts'

// One visit from the splash to the thank-you: each test goes on where the one before it ended.
test.describe.configure({ mode: 'serial' })

const ADDRESS = 'a.visitor.with.a.long.name@mail.department.example.com'

let site: RunningSite
let tab: Tab
/** Where everything stood, by what there was to see. */
const places = new Map<string, Seen['places']>()

test.beforeAll(async ({ openTab }) => {
  site = await startSite()
  tab = await openTab()
})
test.afterAll(async () => {
  await tab?.close()
  await site?.stop()
})

/** Waits until the form is in this state, with this message, and notes where everything stands. */
async function expectForm(state: string, message: string, more: Record<string, unknown> = {}) {
  await expectToSee(tab, { state, message, ...more })
  places.set(`${state}: ${message}`, await placesAtRest())
}

/** A button that was pressed gives for some frames, and stands as before. */
async function placesAtRest() {
  let seen = await tab.evaluate(look)
  await expect
    .poll(async () => {
      seen = await tab.evaluate(look)
      return seen.isAtRest
    })
    .toBe(true)
  return seen.places
}

test('the splash lasts 5000 ms from its first paint and covers the page', async () => {
  const seen = await openSplash(tab, site.url)
  expect(seen).toMatchObject({ isInert: true, splash: { coversAll: true, lasts: 5000 } })
  expect(seen.splash.text).toContain(product.name)
  places.set('the splash', seen.places)
  await tab.type('early')
  await expectSplashToLast(tab, seen)
})

test('it hands over to the page, whole and in reach, and is gone from the document', async () => {
  await expectForm('idle', '', {
    splash: { isThere: false },
    isInert: false,
    heading: 'Coming Soon',
    pitch: product.pitch,
    logo: product.name,
    focus: 'BODY',
    input: { value: '', placeholder: product.emailPlaceholder, isDisabled: false },
    button: { text: 'Notify Me', isDisabled: false },
  })
  expect(tab.complaints()).toEqual([])
})

test('a domain is suggested once nothing is typed, and a key takes it', async () => {
  await tab.press('Tab')
  await expectToSee(tab, { focus: 'INPUT' })
  await tab.type('ada@gmial.com')
  await expectForm('idle', 'Did you mean gmail.com?', { suggests: true })
  await tab.press('Tab')
  await tab.press('Tab')
  await tab.press('Enter')
  await expectToSee(tab, { focus: 'INPUT', message: '', input: { value: 'ada@gmail.com' } })
  await tab.evaluate(() => {
    for (const input of document.querySelectorAll('input')) input.value = ''
  })
})

test('the keyboard reaches field and button, and an invalid address is an error', async () => {
  await tab.type('a.visitor.with.a.long.name@mail')
  await tab.press('Tab')
  await expectToSee(tab, { focus: 'BUTTON' })
  await tab.press('Space')
  await expectForm('error', INVALID, {
    focus: 'INPUT',
    input: { value: 'a.visitor.with.a.long.name@mail', isDisabled: false, isInvalid: true },
    button: { text: 'Notify Me', isDisabled: false },
  })
})

test('a database that is gone is an error, and so is a server that is gone', async () => {
  await site.removeData()
  await tab.press('End')
  await tab.type('.department.example.com')
  await tab.press('Enter')
  const kept = { focus: 'INPUT', input: { value: ADDRESS, isDisabled: false } }
  await expectForm('error', NO_DATABASE, kept)
  await site.returnData()

  await site.kill()
  await tab.press('Enter')
  await expectForm('error', FAILED, kept)
  await site.restart()
})

test('form and button are blocked while the server works, and after the thank-you', async () => {
  await site.pause()
  await tab.press('Enter')
  await expectForm('loading', '', {
    input: { value: ADDRESS, isDisabled: true },
    button: { text: 'Submitting...', isDisabled: true },
  })
  site.resume()
  await expectForm('success', THANK_YOU, {
    path: '/',
    input: { value: '', isDisabled: true },
    button: { text: 'Notify Me', isDisabled: true },
  })
  expect(site.subscribers()).toEqual([ADDRESS])
})

test('nothing has moved, from the splash to the thank-you, which begins where the form did', async () => {
  const [first = []] = places.values()
  expect(places.size).toBe(8)
  for (const [seen, place] of places) expect(place, seen).toEqual(first)
  const { y = Number.NaN } = first.find(({ element }) => element === 'FORM') ?? {}
  // It has come to rest, within its own line of where the form begins.
  const linesBelow = async () => Math.floor(((await tab.evaluate(look)).messageAt - y) / 24)
  await expect.poll(linesBelow).toBe(0)
})

test('the splash draws three red candlesticks, then a green one', async () => {
  await holdSplash(tab, site.url)
  const moments: Record<number, string[]> = {
    0: [],
    600: ['red'],
    1900: ['red', 'red', 'red'],
    3500: ['red', 'red', 'red', 'green'],
  }
  for (const [time, candles] of Object.entries(moments)) {
    await moveSplashTo(tab, Number(time))
    const picture = async () => candlesIn(await tab.screenshot())
    await expect.poll(picture, `after ${time} ms`).toEqual(candles)
  }
})

test('once the page is open, its quiet button is underlined', async () => {
  await turnPage(site, 'https://app.example.com/')
  await tab.open(site.url)
  const underline = () => {
    const button = document.querySelector('.quiet [type=submit]')
    return { line: button && getComputedStyle(button).textDecorationLine }
  }
  await expect.poll(() => glance(tab, underline)).toEqual({ line: 'underline' })
})
