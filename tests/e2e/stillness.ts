import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { english, signUp } from './page.ts'
import { everyState } from './states.ts'

/**
 * Takes the page from its first paint to its last state, and expects nothing in it to move, but for the
 * thank-you, which stands where the form was.
 */
export async function expectNothingMoves(page: Page, url: string, words = english) {
  const { form } = signUp(page, words)
  const places = new Map<string, unknown>()
  for await (const state of everyState(page, url, words))
    places.set(
      state,
      await form.evaluate(async (form) => {
        // A button that was pressed gives for some frames, and stands as before.
        const pressing = form
          .getAnimations({ subtree: true })
          .filter((one) => one instanceof CSSTransition && one.transitionProperty === 'scale')
        await Promise.allSettled(pressing.map(({ finished }) => finished))
        return [form, ...form.querySelectorAll('p:not([role]), input, button')].map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect()
          return { element: element.tagName, x, y, width, height }
        })
      }),
    )
  const [idle] = places.values()
  for (const [state, place] of places) expect(place, state).toEqual(idle)
  expect(await layoutShifts(page)).toEqual([])
}

/** Every layout shift since the page began, also those that follow an input. */
export function layoutShifts(page: Page) {
  return page.evaluate(async () => {
    const shifts: PerformanceEntry[] = []
    const observer = new PerformanceObserver((list) => shifts.push(...list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    // Shifts of a frame are told after it.
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
    await new Promise((resolve) => setTimeout(resolve))
    return [...shifts, ...observer.takeRecords()].map((shift) => shift.toJSON())
  })
}
