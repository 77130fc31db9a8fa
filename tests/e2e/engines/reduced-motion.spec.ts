import { type RunningSite, startSite } from '../../fixtures/running-site.ts'
import { leftToTorture } from '../long.ts'
import { candlesIn } from '../picture.ts'
import { expect, expectToSee, test } from './fixtures.ts'
import { expectSplashToLast, holdSplash, moveSplashTo, openSplash } from './splash.ts'
import type { Tab } from './tab.ts'

leftToTorture()

// One browser for both.
test.describe.configure({ mode: 'serial' })

let site: RunningSite
let tab: Tab

test.beforeAll(async ({ openTab }) => {
  site = await startSite()
  tab = await openTab({ motion: false })
})
test.afterAll(async () => {
  await tab?.close()
  await site?.stop()
})

test('the splash lasts 5000 ms for who wants no motion too', async () => {
  await expectSplashToLast(tab, await openSplash(tab, site.url))
  await expectToSee(tab, { splash: { isThere: false }, isInert: false, state: 'idle' })
})

test('it is a still picture, whole from the start', async () => {
  await holdSplash(tab, site.url)
  const first = await pictureAt(0)
  expect(await candlesIn(first)).toEqual(['red', 'red', 'red', 'green'])
  for (const time of [2500, 4900])
    expect((await pictureAt(time)).equals(first), `the same after ${time} ms`).toBe(true)
})

/** The splash as it is so many milliseconds after it began, once it is painted. */
async function pictureAt(time: number): Promise<Buffer> {
  await moveSplashTo(tab, time)
  let picture = await tab.screenshot()
  const isPainted = async () => {
    const before = picture
    picture = await tab.screenshot()
    return picture.equals(before)
  }
  await expect.poll(isPainted).toBe(true)
  return picture
}
